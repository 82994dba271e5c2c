/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** The value below which so many per cent of the numbers are, between two of them where it falls there. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = Float64Array.from(numbers).sort();
  const place = (percent / 100) * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? NaN;
  const above = sorted[Math.ceil(place)] ?? NaN;
  return below + (above - below) * (place - Math.floor(place));
}
