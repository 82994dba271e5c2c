import type { Observable } from 'rxjs';
import type { McpExchange } from '../../exchange/index.js';

/**
 * The last value; `undefined` when there was none.
 *
 * Nest turns what every handler returns into an Observable. One that goes on after its first value is
 * the handler's own: it is unsubscribed when the call is cancelled. A promise is waited for, as the
 * work behind it cannot be stopped.
 */
export function lastValue(source: Observable<unknown>, exchange: McpExchange): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    let emitted = false;
    const subscription = source.subscribe({
      next(value) {
        last = value;
        if (emitted) return;
        emitted = true;
        queueMicrotask(unsubscribeWhenAborted);
      },
      error: reject,
      complete: () => resolve(last),
    });

    function unsubscribeWhenAborted(): void {
      if (subscription.closed) return;
      exchange.onAbort(() => {
        subscription.unsubscribe();
        reject(exchange.signal.reason as Error);
      });
    }
  });
}
