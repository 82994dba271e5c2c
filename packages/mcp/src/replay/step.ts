import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** How a step deals with failure. */
export interface StepOptions {
  /** How often it is tried again in the same round when it throws; 0 by default, at most 100. */
  retries?: number;
  /** Pause before the first retry, in milliseconds; doubled for each further one, up to 30 seconds. 200 by default. */
  backoffMs?: number;
}

/** What a step is given. */
export interface StepScope {
  /**
   * The same whenever this step of this conversation is tried, and for nothing else: give it to APIs
   * that take an idempotency key. 43 characters of base64url.
   */
  readonly idempotencyKey: string;
  /** From 1; a step that failed in one round starts over in the next. */
  readonly attempt: number;
  /** Aborts when the client goes away or the handler's time is up. */
  readonly signal: AbortSignal;
}

/** The work of a step. */
export type StepWork<T> = (scope: StepScope) => T | Promise<T>;

/** A step that is running, for whatever it calls. */
export interface RunningStep {
  /** The round it belongs to. */
  readonly owner: object;
  readonly name: string;
  readonly scope: StepScope;
}

/** Holds the running step for everything it awaits. */
export const stepStorage = new AsyncLocalStorage<RunningStep>();

export const MAX_RETRIES = 100;
const DEFAULT_BACKOFF_MS = 200;
const MAX_BACKOFF_MS = 30_000;

/** @param key of the step in the ledger */
export function idempotencyKey(conversationId: string, key: string): string {
  return createHash('sha256').update(`${conversationId}\n${key}`).digest('base64url');
}

/**
 * Tries the work of a step until it succeeds or may not be tried again.
 * @param run one attempt, from 1
 * @param signals when one aborts, no further attempt is made and the last error stands
 * @throws what the last attempt has thrown
 */
export async function attempt<T>(
  run: (attempt: number) => Promise<T>,
  { retries = 0, backoffMs = DEFAULT_BACKOFF_MS }: StepOptions,
  signals: readonly AbortSignal[],
): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await run(count);
    } catch (error) {
      if (count > retries) throw error;
      const signal = AbortSignal.any([...signals]);
      const delayMs = Math.min(backoffMs * 2 ** (count - 1), MAX_BACKOFF_MS);
      await pause(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) throw error;
    }
  }
}
