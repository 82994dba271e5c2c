import { setTimeout as sleep } from 'node:timers/promises';

/** How long something may take that has no event to tell of it, in milliseconds. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 10;

/** Tries until it does not fail any more, for what no event tells of; rejects with the last failure. */
export async function eventually(attempt: () => Promise<void>): Promise<void> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** Rejects when a promise takes too long, so that a failure tells what did not come. */
export async function soon<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
