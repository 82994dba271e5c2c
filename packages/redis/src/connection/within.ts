/** Resolves when something has ended, however it did, and at the latest after some milliseconds. */
export async function within(ms: number, ended: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([ended.catch(() => undefined), late]);
  clearTimeout(timer);
}
