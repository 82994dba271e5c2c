/**
 * A handler returned before its question was answered or its step was done: what it did after them was
 * done without them.
 */
export class ForgottenAwaitException extends Error {
  constructor(
    handler: string,
    readonly key: string,
  ) {
    super(
      `"${handler}" returned while "${key}" was still open. Await every question and step before the handler returns; ` +
        'what stands after one is otherwise done without its answer.',
    );
    this.name = 'ForgottenAwaitException';
  }
}
