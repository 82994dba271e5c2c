/** Redis takes whole milliseconds, and no less than one. */
export function wholeMs(ms: number): number {
  return Math.max(1, Math.ceil(ms));
}
