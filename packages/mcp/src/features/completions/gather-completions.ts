import { isObservable } from 'rxjs';
import type { McpExchange } from '../../exchange/index.js';
import { isIterator, lastValue } from '../../pipeline/index.js';
import { MAX_VALUES } from './complete-result.mapper.js';

/**
 * Awaits what a completion returned. An async iterable or a generator gives values, or lists of them;
 * it is ended once there are more than can be sent, or when nobody waits any more.
 */
export async function gatherCompletions(
  returned: unknown,
  exchange: McpExchange,
): Promise<unknown> {
  const settled: unknown = await (isObservable(returned)
    ? lastValue(returned, exchange)
    : returned);
  return isAsyncIterable(settled) || isIterator(settled) ? gather(settled, exchange) : settled;
}

async function gather(
  parts: AsyncIterable<unknown> | Iterable<unknown>,
  exchange: McpExchange,
): Promise<unknown> {
  let values: unknown[] = [];
  for await (const part of parts) {
    if (exchange.aborted) exchange.signal.throwIfAborted();
    values = values.concat(part);
    if (values.length > MAX_VALUES) return { values, hasMore: true };
  }
  return values;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
