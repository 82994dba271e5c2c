import type { AnswerPolicy } from './input-responses.js';

/** Limits of conversations; durations in milliseconds. */
export interface ReplayLimits {
  /** How long a token may wait for its answer; every round starts anew. */
  readonly ttlMs: number;
  /** How long a conversation may last. */
  readonly maxAgeMs: number;
  /** How many rounds a conversation may have. */
  readonly maxRounds: number;
  /** How long a token may be, in characters of base64url (bytes on the wire). */
  readonly maxStateBytes: number;
  /** How many answers to one question may not fit. */
  readonly maxAttempts: number;
  /** Longest JSON of what a step returns, in bytes. */
  readonly maxEntryBytes: number;
  /** How long the answer to a round is kept for its duplicates, of handlers that are played once. */
  readonly resultTtlMs: number;
  readonly answers: AnswerPolicy;
  readonly onMismatch: MismatchPolicy;
}

/**
 * What becomes of a conversation whose handler has changed: it is refused, or it starts again within the
 * same call. Once a step is recorded, it is refused whatever the policy: its work must not be done
 * twice.
 */
export type MismatchPolicy = 'reject' | 'restart';

/** What a handler may have otherwise than its server. */
export interface HandlerReplayOptions {
  /** How long an answer may take, in milliseconds. */
  readonly ttlMs?: number;
  readonly onMismatch?: MismatchPolicy;
  /** Whether each round is played at most once. */
  readonly once?: boolean;
}

/** Tolerated difference between the clocks of two instances, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;
