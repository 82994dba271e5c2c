import { jest } from '@jest/globals';
import { InternalErrorException } from '../exceptions/index.js';
import { type McpBackground, type McpExchange } from '../exchange/index.js';
import { someExchange } from '../exchange/exchange.fixture.js';
import { type Conversation, type LedgerEntry } from '../replay/index.js';
import { NO_ANSWERS } from '../replay/input-responses.js';
import { Ledger } from '../replay/ledger.js';
import { isOverdue, type McpRoundKeeper, RunningRound } from './call-leave.js';
import { Departure } from './departure.js';
import type { McpPlayedRound } from './played-round.js';

const STEP: LedgerEntry = { key: 'step/a', kind: 'step', outcome: 'done' };
const PLAYED: McpPlayedRound = { type: 'unplayed', cause: 'because' };

const conversation = (entries: readonly LedgerEntry[] = []): Conversation => ({
  conversationId: 'c',
  startedAt: 7,
  round: 1,
  ledger: new Ledger(entries),
  unclaimed: NO_ANSWERS,
});

/** Something that ends when it is told to. */
function deferred(): { readonly promise: Promise<unknown>; end(): void } {
  let end!: () => void;
  const promise = new Promise<void>((resolve) => (end = resolve));
  return { promise, end };
}

class Keeper implements McpRoundKeeper {
  readonly controller = new AbortController();
  readonly background: McpBackground = {
    signal: this.controller.signal,
    progress: () => undefined,
  };
  readonly kept: (readonly LedgerEntry[])[] = [];

  async save(entries: readonly LedgerEntry[]): Promise<void> {
    this.kept.push(entries);
  }
}

function setup(): {
  departure: Departure;
  exchange: McpExchange;
  running: RunningRound;
  leaveClient: () => void;
  end: () => void;
} {
  const departure = new Departure('leave');
  const listeners: (() => void)[] = [];
  const exchange = someExchange(
    'tools/call',
    {},
    { onCancel: (listener) => listeners.push(() => listener('gone')) },
  );
  const { promise, end } = deferred();
  const running = new RunningRound(departure, exchange, promise, async () => PLAYED);
  const leaveClient = (): void => listeners.forEach((tell) => tell());
  return { departure, exchange, running, leaveClient, end };
}

describe('A round that keeps its client waiting', () => {
  it('knows what it has recorded', () => {
    const { departure, running } = setup();
    expect(running.entries).toEqual([]);
    departure.begun(conversation([STEP]));
    expect(running.entries).toEqual([STEP]);
  });

  it('is taken on with what it has recorded', async () => {
    const { departure, running } = setup();
    const keeper = new Keeper();
    departure.begun(conversation([STEP]));
    expect(running.adopt(keeper)).toEqual({
      conversationId: 'c',
      startedAtMs: 7,
      entries: [STEP],
    });
    expect(departure.left).toBe(true);
    await departure.save([STEP, STEP]);
    expect(keeper.kept).toEqual([[STEP, STEP]]);
  });

  it('is ended by its keeper from then on, and by its client no more', () => {
    const { departure, exchange, running, leaveClient } = setup();
    const { signal } = exchange;
    const keeper = new Keeper();
    departure.begun(conversation());
    running.adopt(keeper);
    leaveClient();
    expect(signal.aborted).toBe(false);
    keeper.controller.abort('cancelled');
    expect(signal.reason).toBe('cancelled');
  });

  it("is its client's again when it is handed back", () => {
    const { departure, exchange, running, leaveClient } = setup();
    const { signal } = exchange;
    const keeper = new Keeper();
    departure.begun(conversation());
    running.adopt(keeper);
    running.handBack();
    expect(departure.left).toBe(false);
    keeper.controller.abort('cancelled');
    expect(signal.aborted).toBe(false);
    leaveClient();
    expect(signal.reason).toBe('gone');
  });

  it('can be handed back though nobody has taken it on', () => {
    const { departure, exchange, running } = setup();
    running.handBack();
    expect(departure.left).toBe(false);
    expect(exchange.aborted).toBe(false);
  });

  it('cannot be taken on before it has begun', () => {
    const { departure, running } = setup();
    expect(() => running.adopt(new Keeper())).toThrow(InternalErrorException);
    expect(departure.left).toBe(false);
  });

  it('tells how it ended when it has', async () => {
    const { running, end } = setup();
    const seen: string[] = [];
    const played = running.played().then((round) => {
      seen.push('played');
      return round;
    });
    await new Promise(setImmediate);
    expect(running.ended).toBe(false);
    seen.push('ends');
    end();
    expect(await played).toBe(PLAYED);
    expect(running.ended).toBe(true);
    expect(seen).toEqual(['ends', 'played']);
  });
});

describe('A client', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('waits for too long once the time has passed', async () => {
    const departure = new Departure('leave');
    const { promise } = deferred();
    departure.begun(conversation());
    const overdue = isOverdue(departure, 100, promise);
    await jest.advanceTimersByTimeAsync(100);
    expect(await overdue).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('does not where the round ends in time, which leaves no timer behind', async () => {
    const departure = new Departure('leave');
    const { promise, end } = deferred();
    departure.begun(conversation());
    const overdue = isOverdue(departure, 100, promise);
    await jest.advanceTimersByTimeAsync(99);
    expect(jest.getTimerCount()).toBe(1);
    end();
    expect(await overdue).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('waits for guards without being counted', async () => {
    const departure = new Departure('leave');
    const overdue = isOverdue(departure, 100, deferred().promise);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(jest.getTimerCount()).toBe(0);
    departure.begun(conversation());
    await jest.advanceTimersByTimeAsync(99);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await overdue).toBe(true);
  });

  it('is answered at once where guards refuse', async () => {
    const { promise, end } = deferred();
    const overdue = isOverdue(new Departure('leave'), 100, promise);
    end();
    expect(await overdue).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
  });
});
