import type { Awaitable } from './awaitable.js';

/**
 * Whether a value is yet to come. Where it is there already, nothing is awaited: each `await` makes
 * promises, and most values of a call are there.
 */
export function isPending<T>(value: Awaitable<T>): value is Promise<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { then?: unknown }).then === 'function'
  );
}
