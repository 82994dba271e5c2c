import { userInfo } from 'node:os';

/** Who calls over stdio: whoever has started the process, since nobody else can write to it. */
export class LocalUser {
  private constructor(readonly name: string) {}

  /** The user of `ONBOARDING_USER`, or of the operating system. */
  static fromEnvironment(environment: NodeJS.ProcessEnv): LocalUser {
    const name = environment['ONBOARDING_USER'] ?? '';
    return new LocalUser(name === '' ? userInfo().username : name);
  }
}
