import { percentile } from '../measure/statistics.js';
import type { Driven } from './driven.js';
import type { Poster } from './poster.js';

/** Plays a conversation to its end. */
export type Conversation = (poster: Poster) => Promise<unknown>;

/** Plays so many conversations, some of them at once. */
export async function driveConversations(
  poster: Poster,
  play: Conversation,
  { connections, amount }: { readonly connections: number; readonly amount: number },
): Promise<Driven> {
  const latencies: number[] = [];
  const begin = performance.now();
  let left = amount;
  const user = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const start = performance.now();
      await play(poster);
      latencies.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, user));
  return {
    count: latencies.length,
    seconds: (performance.now() - begin) / 1e3,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
  };
}
