import { IntrinsicException } from '@nestjs/common';

/** Marks the signal across copies of this package; `instanceof` would not. */
const SUSPENSION = Symbol.for('dacapo.suspension');

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
