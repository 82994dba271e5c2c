import type { LedgerEntry } from './ledger.js';
import type { Conversation } from './conversation.js';

/**
 * What a call that goes on elsewhere once its client has an answer, as a task does, has the engine do.
 */
export interface RoundDeparture {
  /** What `detach()` does: ends the round, to be played on elsewhere, or nothing. */
  readonly detach: 'leave' | 'stay';
  /** Whether the call has left its request while its round was running. */
  readonly left: boolean;
  /** Told what a pass is played with, before it begins. */
  begun(conversation: Conversation): void;
  /** Keeps what is recorded, once the call has left; what it rejects with fails the round. */
  save(entries: readonly LedgerEntry[]): Promise<void> | undefined;
}

/** Of a call that need not leave: it is elsewhere already. */
export const STAYING: RoundDeparture = {
  detach: 'stay',
  left: false,
  begun: () => undefined,
  save: () => undefined,
};
