import { Redis, type RedisOptions } from 'ioredis';
import { logConnection } from './connection-log.js';

/** The longest pause before Redis is tried again, in milliseconds. */
const MAX_RETRY_MS = 1_000;
const FIRST_RETRY_MS = 50;

/**
 * How long a connection may be silent when it has been asked something that may wait for an event, in
 * milliseconds. BullMQ waits for at most ten seconds.
 */
const WAITING_SILENCE_MS = 20_000;

/** Never gives up: what is lost may come back at any time. */
const retryStrategy = (times: number): number => Math.min(times * FIRST_RETRY_MS, MAX_RETRY_MS);

/** Opens a connection whose calls fail fast while Redis is away. */
export function openConnection(url: string, timeoutMs: number): Redis {
  return logged(
    new Redis(url, {
      connectionName: 'dacapo',
      retryStrategy,
      connectTimeout: timeoutMs,
      // Whoever does not answer is taken for dead, and connected to anew.
      socketTimeout: timeoutMs,
      maxRetriesPerRequest: 1,
    }),
  );
}

/** Opens another connection to the same Redis, for one that waits for events: it waits until they come. */
export function openWaitingConnection(
  redis: Redis,
  name: string,
  options: RedisOptions = {},
): Redis {
  return logged(
    redis.duplicate({
      connectionName: name,
      retryStrategy,
      socketTimeout: WAITING_SILENCE_MS,
      maxRetriesPerRequest: null,
      commandTimeout: undefined,
      enableOfflineQueue: true,
      autoResendUnfulfilledCommands: true,
      autoResubscribe: true,
      lazyConnect: false,
      ...options,
    }),
  );
}

function logged(redis: Redis): Redis {
  logConnection(redis);
  return redis;
}
