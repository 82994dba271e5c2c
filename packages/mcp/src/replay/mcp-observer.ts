import type { RejectionReason } from '../exceptions/index.js';
import type { Awaitable, ReplayableMethod } from '../protocol/index.js';

/** What is known of a round when it begins. */
export interface RoundFacts {
  /** Tool or prompt name, or the template that is read. */
  readonly handler: string;
  readonly method: ReplayableMethod;
  /** The same in every round of a conversation. */
  readonly conversationId: string;
  /** From 1. */
  readonly round: number;
}

/** What is known of a round when it has ended. */
export interface RoundEnd extends RoundFacts {
  /** How many questions and records the ledger holds. */
  readonly entries: number;
  /** How long the round took, in milliseconds. */
  readonly durationMs: number;
  /** How long it took to come to where the one before had stopped, in milliseconds. */
  readonly replayedMs: number;
}

/**
 * What happens to a round. A suspension is how a conversation goes on and never an error: audits and
 * spans tell it from `round.failed`.
 */
export type ReplayEvent =
  /** `stateBytes`: of the token it came with, 0 in a first round. */
  | ({ readonly type: 'round.started'; readonly stateBytes: number } & RoundFacts)
  /** `questions`: keys of what the client must answer; `stateBytes`: of the token it takes along. */
  | ({
      readonly type: 'round.suspended';
      readonly questions: readonly string[];
      readonly stateBytes: number;
    } & RoundEnd)
  /**
   * The handler has returned, or ended politely because the user has declined or cancelled what it
   * needed. `leftover`: keys of entries the handler has not come to; there are none if it is
   * deterministic.
   */
  | ({ readonly type: 'round.completed'; readonly leftover: readonly string[] } & RoundEnd)
  /** The call goes on without its request, as a task: what follows are rounds of that. */
  | ({ readonly type: 'round.detached' } & RoundEnd)
  /** The handler has thrown; `error` is what, and may name a question or what was wrong with an answer. */
  | ({ readonly type: 'round.failed'; readonly error: unknown } & RoundEnd)
  /**
   * The handler has changed under way, at the entry with this key: what follows is a rejection, or the
   * conversation from its beginning.
   */
  | ({ readonly type: 'round.mismatched'; readonly key: string } & RoundEnd)
  /** A duplicate of a round of a handler that is played once: it got the same answer, unplayed. */
  | ({ readonly type: 'round.repeated' } & RoundFacts)
  /** The retry was refused; without a conversation where its token or its answers were. */
  | ({
      readonly type: 'round.rejected';
      readonly reason: RejectionReason;
    } & Pick<RoundFacts, 'handler' | 'method'> &
      Partial<Pick<RoundFacts, 'conversationId' | 'round'>>);

/**
 * Hears of every round: provide your own with `McpModule.forRoot({ observer })` to write spans, metrics
 * or an audit. It is told, and changes nothing: nobody waits for it, and what it throws or rejects with
 * is logged. Questions and answers are not part of any event, but for what the error of a failed round
 * says of them.
 */
export abstract class McpObserver {
  abstract observe(event: ReplayEvent): Awaitable<void>;
}
