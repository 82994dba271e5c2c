/** `replay.secret` cannot serve as a key; stops the boot. */
export class InvalidSecretException extends Error {
  constructor(which: string, fact: string) {
    super(
      `replay.secret${which} ${fact}. Give 32 random bytes in base64, made for example with: ` +
        `node -e "console.log(require('node:crypto').randomBytes(32).toString('base64'))"`,
    );
    this.name = 'InvalidSecretException';
  }
}
