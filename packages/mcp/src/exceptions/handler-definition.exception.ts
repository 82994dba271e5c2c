/** A handler that cannot be served as it is declared; stops the boot. */
export class HandlerDefinitionException extends Error {
  constructor(className: string, methodName: string, fact: string, mend: string) {
    super(`${className}.${methodName}: ${fact}. ${mend}.`);
    this.name = 'HandlerDefinitionException';
  }
}
