import { IntrinsicException } from '@nestjs/common';

/** Marks the signal across copies of this package; `instanceof` would not. */
const SUSPENSION = Symbol.for('dacapo.suspension');
/** Marks whatever a question or a step has rejected with. */
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

/** Remembers that a question or a step rejected with this error. */
export function markAskRejection(error: unknown): void {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error)) {
    Object.defineProperty(error, ASK_REJECTION, { value: true, configurable: true });
  }
}

/**
 * A failed question must not end the process when its branch is awaited late, or never; nor must it keep
 * the process from all else where a handler catches whatever comes and asks again, so it fails a
 * macrotask later.
 */
export function rejected(reason: Error): Promise<never> {
  markAskRejection(reason);
  return unheard(new Promise<never>((_, reject) => setImmediate(reject, reason)));
}

/**
 * A promise whose rejection nobody needs to hear: the round's outcome is read from the execution. What
 * is derived from it is another promise; the suspension guard deals with those.
 */
export function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * True for the signal, for an error that a question or a step has rejected with, and for those made of
 * them: what names one as its cause, and what `Promise.any` gathers.
 */
export function isAskRejection(error: unknown): boolean {
  return stemsFromAsk(error, new Set());
}

/** @param seen causes may lead in a circle */
function stemsFromAsk(error: unknown, seen: Set<object>): boolean {
  if (typeof error !== 'object' || error === null || seen.has(error)) return false;
  if (isSuspension(error) || ASK_REJECTION in error) return true;
  seen.add(error);
  const { cause, errors } = error as Partial<AggregateError>;
  const parts: unknown[] = Array.isArray(errors) ? errors : [];
  return [cause, ...parts].some((part) => stemsFromAsk(part, seen));
}
