import { InvalidRedisOptionsException } from '../exceptions/invalid-redis-options.exception.js';

/** What everything that keeps something in Redis may be told. */
export interface RedisPartOptions {
  /** What all keys and channels begin with; `dacapo` by default. */
  prefix?: string | undefined;
  /** How long a call may wait for Redis, in milliseconds; 5 seconds by default. */
  timeoutMs?: number | undefined;
}

/** Longer pauses are none for a timer of Node. */
const MAX_MS = 2 ** 31 - 1;

/** The same, all of it said. */
export interface ResolvedPartOptions {
  readonly prefix: string;
  readonly timeoutMs: number;
}

/**
 * Fills in what was not said.
 * @throws InvalidRedisOptionsException
 */
export function resolvePartOptions({
  prefix = 'dacapo',
  timeoutMs = 5_000,
}: RedisPartOptions): ResolvedPartOptions {
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
