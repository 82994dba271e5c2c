/** What Node's timers can wait for, in milliseconds. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether a timer can wait for it. */
export function isDuration(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TIMER_MS;
}
