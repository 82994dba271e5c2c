/** An option of a module that cannot be used; stops the boot. */
export class InvalidOptionsException extends Error {
  /** @param module whose option it is */
  constructor(option: string, fact: string, mend: string, module = 'McpModule') {
    super(`${module} option ${option} ${fact}. ${mend}.`);
    this.name = 'InvalidOptionsException';
  }
}
