import type { Suspension } from '../protocol/index.js';
import type { KeptAnswer } from './played-once.js';
import type { Conversation } from './conversation.js';
import type { ReplayCall, RoundHandler } from './round-player.js';

/** How a call ended; errors are thrown. */
export type CallOutcome<T, S extends Suspension = Suspension> =
  | { readonly type: 'completed'; readonly value: T }
  | { readonly type: 'suspended'; readonly result: S }
  /** The handler goes on elsewhere, from the top, with what is recorded. */
  | { readonly type: 'detached'; readonly conversation: Conversation }
  /** The round was played before; `answer` is what it was answered with. */
  | { readonly type: 'repeated'; readonly answer: KeptAnswer };

/** Brings a ledger to each round of a conversation, and takes it away: the wire, or a record. */
export interface ReplayCarrier {
  /** @throws RequestStateRejectedException when the round must not be played */
  play<T>(call: ReplayCall, handler: RoundHandler<T>): Promise<CallOutcome<T>>;
}
