/** The call has ended, and the script of the test has answers left. */
export class UnusedAnswersException extends Error {
  constructor(
    /** Keys, or places in the list. */
    readonly answers: readonly string[],
    /** What the call ended with. */
    result: object,
  ) {
    super(
      `The call ended without asking for the answer ${answers.join(', ')}. Leave it out, or see why the handler does not ask. ` +
        `The result is ${excerpt(result)}.`,
    );
    this.name = 'UnusedAnswersException';
  }
}

const MAX_EXCERPT_LENGTH = 500;

function excerpt(result: object): string {
  const text = JSON.stringify(result);
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text;
}
