import { checkWhole, type RedisPartOptions } from '../options/redis-part-options.js';

/** How rounds are played; durations are milliseconds. */
export interface BullTaskRunnerOptions extends RedisPartOptions {
  /** How many rounds of one server an instance plays at once; 100 by default. */
  concurrency?: number | undefined;
  /**
   * How long an instance may give no sign of life before its rounds are taken over by others, which
   * happens within three times that time; 30 seconds by default. Much less, and one that is merely busy is
   * taken for dead.
   */
  lockMs?: number | undefined;
  /** The pause before a round that could not be played is tried again; it doubles each time; 1 second by default. */
  retryMs?: number | undefined;
  /** The longest such pause; 30 seconds by default. */
  maxRetryMs?: number | undefined;
}

/** How rounds are played, all of it said. */
export type PlayOptions = {
  readonly [Option in Exclude<keyof BullTaskRunnerOptions, keyof RedisPartOptions>]-?: number;
};

/**
 * Fills in what was not said.
 * @throws InvalidRedisOptionsException
 */
export function resolvePlayOptions({
  concurrency = 100,
  lockMs = 30_000,
  retryMs = 1_000,
  maxRetryMs = 30_000,
}: BullTaskRunnerOptions): PlayOptions {
  const options = { concurrency, lockMs, retryMs, maxRetryMs };
  for (const [option, value] of Object.entries(options)) checkWhole(`runner.${option}`, value);
  return options;
}
