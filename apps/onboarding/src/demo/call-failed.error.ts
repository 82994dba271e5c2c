/** A call ended in an error instead of a result. */
export class CallFailedError extends Error {
  constructor(
    message: string,
    /** HTTP status; `undefined` when the server did not answer. */
    readonly status: number | undefined,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'CallFailedError';
  }
}
