/** A question that can never be asked: a mistake of the handler's author. */
export class InvalidAskException extends Error {
  constructor(fact: string, mend: string) {
    super(`${fact}. ${mend}.`);
    this.name = 'InvalidAskException';
  }
}
