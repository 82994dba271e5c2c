import { randomBytes } from 'node:crypto';

/** The key that signs bearer tokens. */
export class TokenSecret {
  private constructor(
    readonly key: Uint8Array,
    /** True for a key made at start: no other process knows it, and it dies with this one. */
    readonly generated: boolean,
  ) {}

  /**
   * The key of `ONBOARDING_TOKEN_SECRET`, or a new one.
   * @throws Error when the secret is too short for HS256
   */
  static fromEnvironment(environment: NodeJS.ProcessEnv): TokenSecret {
    const text = environment['ONBOARDING_TOKEN_SECRET'] ?? '';
    if (text === '') return new TokenSecret(randomBytes(KEY_BYTES), true);
    const key = new TextEncoder().encode(text);
    if (key.length < KEY_BYTES) {
      throw new Error(
        `ONBOARDING_TOKEN_SECRET has ${key.length} bytes, and HS256 needs at least ${KEY_BYTES}. ` +
          'Set a longer one, or none for a key that lasts as long as the process.',
      );
    }
    return new TokenSecret(key, false);
  }
}

const KEY_BYTES = 32;
