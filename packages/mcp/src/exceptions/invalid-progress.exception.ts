/** A progress report that the protocol does not allow: a mistake of the handler's author. */
export class InvalidProgressException extends Error {
  constructor(fact: string, mend: string) {
    super(`Invalid progress: ${fact}. ${mend}.`);
    this.name = 'InvalidProgressException';
  }
}
