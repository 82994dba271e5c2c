/** A value, now or later. */
export type Awaitable<T> = T | Promise<T>;
