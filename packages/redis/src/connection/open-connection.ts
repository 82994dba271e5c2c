import { Redis } from 'ioredis';
import { logConnection } from './connection-log.js';

/** The longest pause before Redis is tried again, in milliseconds. */
const MAX_RETRY_MS = 1_000;
const FIRST_RETRY_MS = 50;

/** How long a connection that was lost keeps the process when it is closed, in milliseconds. */
const DISCONNECT_MS = 200;

/** Never gives up: what is lost may come back at any time. */
const retryStrategy = (times: number): number => Math.min(times * FIRST_RETRY_MS, MAX_RETRY_MS);

/** Opens a connection whose calls fail fast while Redis is away. */
export function openConnection(url: string, timeoutMs: number): Redis {
  return logged(
    new Redis(url, {
      connectionName: 'dacapo',
      retryStrategy,
      disconnectTimeout: DISCONNECT_MS,
      connectTimeout: timeoutMs,
      // Whoever does not answer is taken for dead, and connected to anew.
      socketTimeout: timeoutMs,
      maxRetriesPerRequest: 1,
    }),
  );
}

/**
 * Opens another connection to the same Redis, for one that waits for events: what it asks waits as well,
 * until Redis is there.
 * @param silenceMs how long Redis may say nothing when it was asked, until it is taken for dead
 */
export function openWaitingConnection(redis: Redis, name: string, silenceMs: number): Redis {
  return logged(
    redis.duplicate({
      connectionName: name,
      retryStrategy,
      disconnectTimeout: DISCONNECT_MS,
      socketTimeout: silenceMs,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
      enableOfflineQueue: true,
      autoResendUnfulfilledCommands: true,
      // What it then rejects with, closed under way, nobody would hear, and Node would end the process.
      autoResubscribe: false,
      lazyConnect: false,
    }),
  );
}

function logged(redis: Redis): Redis {
  logConnection(redis);
  return redis;
}
