/** An elicitation form no client could show; names the property and the mend. */
export class InvalidFormException extends Error {
  constructor(
    /** The property at fault; empty for the whole form. */
    readonly property: string,
    fact: string,
    mend: string,
  ) {
    super(
      property === ''
        ? `Invalid form: ${fact}. ${mend}.`
        : `Invalid form property "${property}": ${fact}. ${mend}.`,
    );
    this.name = 'InvalidFormException';
  }
}
