import { EmptyError } from 'rxjs';

/** rxjs reports a missing value with an error that interceptors use too; a handler's is a failure. */
export async function unlessEmpty(proceed: () => Promise<unknown>): Promise<unknown> {
  try {
    return await proceed();
  } catch (error) {
    if (!(error instanceof EmptyError)) throw error;
    throw new Error('The handler awaited an Observable that ended without a value.', {
      cause: error,
    });
  }
}
