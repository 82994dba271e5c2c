import { InternalErrorException } from '../exceptions/index.js';
import type { McpBackground, McpExchange } from '../exchange/index.js';
import type { Result } from '../protocol/index.js';
import type { Conversation, LedgerEntry } from '../replay/index.js';
import type { Departure } from './departure.js';
import type { McpPlayedRound } from './played-round.js';

/** A conversation that goes on elsewhere, and what is recorded of it. */
export interface McpLeftConversation {
  /** The same in every round. */
  readonly conversationId: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly entries: readonly LedgerEntry[];
}

/** What takes a running round on. */
export interface McpRoundKeeper {
  /** In place of the client: whom it tells of progress, and who may end it. */
  readonly background: McpBackground;
  /**
   * Keeps what is recorded, before the handler learns of it. What it rejects with ends the round, which is
   * `unplayed` then.
   */
  save(entries: readonly LedgerEntry[]): Promise<void>;
}

/** A round that keeps its client waiting. */
export interface McpRunningRound {
  /** Whether it has ended by now. */
  readonly ended: boolean;
  /**
   * Takes it on, with what it has recorded so far, once. If its client gets no answer of its keeper, the
   * round goes back to its request, and the client gets its answer or its questions.
   */
  adopt(keeper: McpRoundKeeper): McpLeftConversation;
  /** How it ends, once it was adopted; never rejects. */
  played(): Promise<McpPlayedRound>;
  /** What is recorded. */
  readonly entries: readonly LedgerEntry[];
}

/** How a call may leave its request. */
export interface McpCallLeave {
  /** What `ctx.detach()` does: leaves, or nothing. */
  readonly detach: 'leave' | 'stay';
  /** The handler has left by `ctx.detach()`. Resolves with what the client is answered. */
  detached(conversation: McpLeftConversation): Promise<Result>;
  /** How long a round may keep its client waiting, in milliseconds; for ever by default. */
  readonly afterMs?: number;
  /**
   * It did so longer. Resolves with what the client is answered; `undefined` to let it wait on, though the
   * round was adopted.
   */
  overdue?(round: McpRunningRound): Promise<Result | undefined>;
}

/** A conversation, for whoever takes it on. */
export function leftConversation({
  conversationId,
  startedAt: startedAtMs,
  ledger,
}: Conversation): McpLeftConversation {
  return { conversationId, startedAtMs, entries: ledger.entries };
}

/** @see McpRunningRound */
export class RunningRound implements McpRunningRound {
  ended = false;
  private giveBack?: () => void;

  constructor(
    private readonly departure: Departure,
    private readonly exchange: McpExchange,
    private readonly ending: Promise<unknown>,
    private readonly read: () => Promise<McpPlayedRound>,
  ) {
    void ending.then(() => (this.ended = true));
  }

  get entries(): readonly LedgerEntry[] {
    return this.departure.conversation?.ledger.entries ?? [];
  }

  adopt(keeper: McpRoundKeeper): McpLeftConversation {
    const { conversation } = this.departure;
    if (conversation === undefined) throw new InternalErrorException();
    this.departure.leave((entries) => keeper.save(entries));
    this.giveBack = this.exchange.carryOn(keeper.background);
    return leftConversation(conversation);
  }

  /** Its keeper could not keep it: its client waits on. */
  handBack(): void {
    this.departure.comeBack();
    this.giveBack?.();
  }

  async played(): Promise<McpPlayedRound> {
    await this.ending;
    return this.read();
  }
}

/**
 * Waits for a round to end, or to keep its client waiting for too long.
 * @returns whether it does
 */
export async function isOverdue(
  departure: Departure,
  afterMs: number,
  ending: Promise<unknown>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = departure.underWay.then(
    () =>
      new Promise<true>((resolve) => {
        timer = setTimeout(resolve, afterMs, true);
      }),
  );
  try {
    return await Promise.race([late, ending.then(() => false as const)]);
  } finally {
    clearTimeout(timer);
  }
}
