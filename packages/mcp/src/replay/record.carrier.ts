import type { InputRequests, JsonValue, Suspension } from '../protocol/index.js';
import type { SaveEntries } from './execution.js';
import { NO_ANSWERS, offerAnswers } from './input-responses.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { CallOutcome, ReplayCarrier } from './replay-carrier.js';
import type { ReplayCall, RoundHandler, RoundPlayer } from './round-player.js';

/** A conversation whose ledger is kept in a record. */
export interface RecordedConversation {
  readonly conversationId: string;
  /** In epoch milliseconds. */
  readonly startedAt: number;
  /** From 1. */
  readonly round: number;
  readonly entries: readonly LedgerEntry[];
  /** Answers that no round has been played with, by key. */
  readonly answers: { readonly [key: string]: JsonValue };
}

/**
 * Carries one round of a conversation whose ledger is kept in a record.
 *
 * 1. What is recorded is kept before the handler learns of it: the work of a step is not done again by
 *    whoever goes on when this process has died.
 * 2. Answers to what is not open are ignored: the record has been asked whether they are.
 * 3. An interceptor may play the round several times: each attempt begins with what the one before has
 *    recorded.
 * 4. The record is trusted: it never left the servers.
 */
export class RecordCarrier implements ReplayCarrier {
  private ledger: Ledger;
  private asked: InputRequests = {};

  constructor(
    private readonly player: RoundPlayer,
    private readonly recorded: RecordedConversation,
    private readonly save: SaveEntries,
  ) {
    this.ledger = new Ledger(recorded.entries);
  }

  /** The ledger as it is now. */
  get entries(): readonly LedgerEntry[] {
    return this.ledger.entries;
  }

  /** What the client must answer next. */
  get inputRequests(): InputRequests {
    return this.asked;
  }

  async play<T>(call: ReplayCall, handler: RoundHandler<T>): Promise<CallOutcome<T>> {
    const { answers, conversationId, startedAt, round } = this.recorded;
    const { save } = this;
    const ledger = new Ledger(this.ledger.entries);
    offerAnswers(ledger, answers, true, 'lenient');
    const conversation = { conversationId, startedAt, round, ledger, unclaimed: NO_ANSWERS };
    const outcome = await this.player.play<T, Suspension>(call, conversation, 0, handler, {
      save,
      begun: ({ ledger: current }) => {
        this.ledger = current;
      },
      suspend: (_, inputRequests) => {
        this.asked = inputRequests;
        return { carried: { resultType: 'input_required', inputRequests }, stateBytes: 0 };
      },
    });
    return outcome.type === 'suspended' ? { type: 'suspended', result: outcome.carried } : outcome;
  }
}
