import { type Observable, type Subscription, UnsubscriptionError } from 'rxjs';
import type { McpExchange } from '../../exchange/index.js';

/**
 * The last value; `undefined` when there was none. The subscription ends when the call is cancelled,
 * whatever the source has given until then.
 */
export async function lastValue(
  source: Observable<unknown>,
  exchange: McpExchange,
): Promise<unknown> {
  if (exchange.aborted) throw exchange.signal.reason;
  return new Promise((resolve, reject) => {
    let last: unknown;
    const subscription = source.subscribe({
      next(value) {
        last = value;
      },
      error: reject,
      complete: () => resolve(last),
    });
    if (subscription.closed) return;
    exchange.onAbort(() => {
      reject(exchange.signal.reason as Error);
      letGo(subscription);
    });
  });
}

/** Of what rxjs gathers from failing teardowns, the first: the stack of the whole names none of them. */
function letGo(subscription: Subscription): void {
  try {
    subscription.unsubscribe();
  } catch (error) {
    throw error instanceof UnsubscriptionError ? error.errors[0] : error;
  }
}
