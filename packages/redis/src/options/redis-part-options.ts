import type { Redis } from 'ioredis';
import { InvalidRedisOptionsException } from '../exceptions/invalid-redis-options.exception.js';

/** What everything that keeps something in Redis may be told. */
export interface RedisPartOptions {
  /** What all keys and channels begin with; `dacapo` by default. */
  prefix?: string | undefined;
  /** How long a call may wait for Redis, in milliseconds; 5 seconds by default. */
  timeoutMs?: number | undefined;
}

export const DEFAULT_PREFIX = 'dacapo';
export const DEFAULT_TIMEOUT_MS = 5_000;

/** Longer pauses are none for a timer of Node. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Fills in what was not said.
 * @throws InvalidRedisOptionsException
 */
export function resolvePartOptions(
  redis: Redis,
  { prefix = DEFAULT_PREFIX, timeoutMs = DEFAULT_TIMEOUT_MS }: RedisPartOptions,
): Required<{ [Option in keyof RedisPartOptions]: NonNullable<RedisPartOptions[Option]> }> {
  checkConnection(redis);
  checkPrefix(prefix);
  checkWhole('timeoutMs', timeoutMs);
  return { prefix, timeoutMs };
}

/** @throws InvalidRedisOptionsException for what is no whole number from 1 on */
export function checkWhole(option: string, value: unknown): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_MS) return;
  throw new InvalidRedisOptionsException(
    option,
    `is ${String(value)}`,
    `Give a whole number from 1 to ${MAX_MS}, or leave it out`,
  );
}

function checkPrefix(prefix: unknown): void {
  if (typeof prefix === 'string' && prefix !== '') return;
  throw new InvalidRedisOptionsException(
    'prefix',
    typeof prefix === 'string' ? 'is empty' : `is no string but a ${typeof prefix}`,
    'Give what keys are to begin with, or leave it out',
  );
}

/** ioredis puts `keyPrefix` before some names and not before others; BullMQ refuses it. */
export function checkConnection(redis: unknown): void {
  if (!isConnection(redis)) {
    throw new InvalidRedisOptionsException(
      'connection',
      'is no connection of ioredis',
      'Give what `new Redis(…)` of ioredis makes; Redis Cluster is not supported',
    );
  }
  if (redis.options.keyPrefix) {
    throw new InvalidRedisOptionsException(
      'connection',
      'has a keyPrefix',
      'Leave it out there, and give it as prefix here',
    );
  }
}

function isConnection(value: unknown): value is Redis {
  const { isCluster, options, duplicate } = (value ?? {}) as Partial<Redis>;
  return isCluster !== true && typeof options === 'object' && typeof duplicate === 'function';
}
