import { EmptyError } from 'rxjs';

/** rxjs reports a missing value with an error that interceptors use too; a handler's is a failure. */
export async function unlessEmpty(value: Promise<unknown>): Promise<unknown> {
  try {
    return await value;
  } catch (error) {
    if (!(error instanceof EmptyError)) throw error;
    throw new Error('The handler awaited an Observable that ended without a value.', {
      cause: error,
    });
  }
}
