import { EmptyError } from 'rxjs';

/** rxjs reports a missing value with an error that interceptors use too; a handler's is a failure. */
export function unlessEmpty(error: unknown): unknown {
  return error instanceof EmptyError
    ? new Error('The handler awaited an Observable that ended without a value.', { cause: error })
    : error;
}
