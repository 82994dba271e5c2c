import { IntrinsicException } from '@nestjs/common';

/** Marks the signal across copies of this package; `instanceof` would not. */
const SUSPENSION = Symbol.for('dacapo.suspension');
/** Marks whatever a question has rejected with. */
const ASK_REJECTION = Symbol.for('dacapo.ask-rejection');

/**
 * The signal that unwinds a handler whose question has no answer yet. It is control flow, not an
 * error: it carries no stack, Nest does not log it, and no catch can swallow it, because the round's
 * outcome is read from the execution. It is thrown so that `finally` and `await using` release what
 * the handler holds.
 */
export class InputRequiredException extends IntrinsicException {
  readonly [SUSPENSION] = true;

  constructor() {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super('The handler is suspended until the client answers. Let this signal pass.');
    Error.stackTraceLimit = limit;
    this.name = 'InputRequiredException';
  }
}

/**
 * Tells the suspension signal from an error, for a broad catch that wants to rethrow it:
 * `catch (error) { if (isSuspension(error)) throw error; … }`.
 */
export function isSuspension(error: unknown): boolean {
  return typeof error === 'object' && error !== null && SUSPENSION in error;
}

/** Remembers that a question rejected with this error. */
export function markAskRejection(error: Error): void {
  if (Object.isExtensible(error)) {
    Object.defineProperty(error, ASK_REJECTION, { value: true, configurable: true });
  }
}

/** True for the signal, and for an error that a question has rejected with. */
export function isAskRejection(error: unknown): boolean {
  return (
    isSuspension(error) || (typeof error === 'object' && error !== null && ASK_REJECTION in error)
  );
}
