import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 20_000;
const PAUSE_MS = 20;

/** Tries until it does not fail any more, for what no event tells of; rejects with the last failure. */
export async function until(attempt: () => Promise<void>): Promise<void> {
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
