/** An option of `McpModule` that cannot be used; stops the boot. */
export class InvalidOptionsException extends Error {
  constructor(option: string, fact: string, mend: string) {
    super(`McpModule option ${option} ${fact}. ${mend}.`);
    this.name = 'InvalidOptionsException';
  }
}
