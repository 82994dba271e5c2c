/** An option of @dacapo/redis that cannot be used; stops the boot. */
export class InvalidRedisOptionsException extends Error {
  constructor(option: string, fact: string, mend: string) {
    super(`@dacapo/redis option ${option} ${fact}. ${mend}.`);
    this.name = 'InvalidRedisOptionsException';
  }
}
