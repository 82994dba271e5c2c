import autocannon from 'autocannon';
import { percentile } from '../measure/statistics.js';
import type { WireRequest } from '../wire.js';
import type { Driven } from './driven.js';

/** Autocannon ends at the next sample after the last answer. */
const SAMPLE_MS = 20;

export interface Load {
  readonly connections: number;
  readonly amount: number;
}

/**
 * Sends one request so many times, and waits for all answers.
 * @throws Error when something else than a success comes back
 */
export function driveRequests(
  url: string,
  { headers, body }: WireRequest,
  { connections, amount }: Load,
): Promise<Driven> {
  return new Promise((resolve, reject) => {
    // Its own histogram counts whole milliseconds, which are too long for most of what is measured.
    const latencies: number[] = [];
    const begin = performance.now();
    const run = autocannon(
      {
        url,
        method: 'POST',
        headers,
        body,
        connections,
        sampleInt: SAMPLE_MS,
        amount,
      },
      (error: unknown, { non2xx, errors, timeouts }) => {
        if (error instanceof Error) {
          reject(error);
          return;
        }
        if (non2xx + errors + timeouts > 0) {
          reject(new Error(`${url}: ${non2xx} refused, ${errors} failed, ${timeouts} timed out.`));
          return;
        }
        resolve({
          count: latencies.length,
          seconds: (performance.now() - begin) / 1e3,
          p50Ms: percentile(latencies, 50),
          p99Ms: percentile(latencies, 99),
        });
      },
    );
    run.on('response', (_client, _status, _bytes, milliseconds) => latencies.push(milliseconds));
  });
}
