/** A step that cannot be recorded, or stands where none may: a mistake of the handler's author. */
export class InvalidStepException extends Error {
  constructor(fact: string, mend: string) {
    super(`${fact}. ${mend}.`);
    this.name = 'InvalidStepException';
  }
}
