import type { UnclaimedAnswers } from './input-responses.js';
import type { Ledger } from './ledger.js';
import type { ClaimedRound } from './played-once.js';

/** A conversation, as its carrier has brought it. */
export interface Conversation {
  readonly conversationId: string;
  /** In epoch milliseconds. */
  readonly startedAt: number;
  /** From 1. */
  readonly round: number;
  readonly ledger: Ledger;
  /** Answers that came without a slot in the ledger. */
  readonly unclaimed: UnclaimedAnswers;
  /** Of a handler that is played once. */
  readonly claim?: ClaimedRound;
}
