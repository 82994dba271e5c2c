/** Resolves when one of the ends has come or the time is up. None of the ends may reject. */
export async function settledWithin(
  ms: number,
  ...ends: readonly Promise<unknown>[]
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([time, ...ends]);
  clearTimeout(timer);
}
