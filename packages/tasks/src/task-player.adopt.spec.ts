import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type {
  LedgerEntry,
  McpExtensionHost,
  McpPlayedRound,
  McpRoundKeeper,
  McpRunningRound,
} from '@dacapo/mcp';
import { InProcessTaskRunner } from './runner/in-process-task.runner.js';
import { InMemoryTaskStore } from './store/in-memory-task.store.js';
import { TaskPlayer, ticketOf } from './task-player.js';
import { someRecord } from './task-record.fixture.js';
import { cancelled } from './task-changes.js';

const STEP: LedgerEntry = { key: 'step/a', kind: 'step', outcome: 1 };
const DONE: McpPlayedRound = { type: 'completed', result: { resultType: 'complete' } };

/** It looks for what has expired. */
const OF_THE_STORE = 1;

/** A round that keeps its client waiting until it is told how it ends. */
class Running implements McpRunningRound {
  readonly ended = false;
  readonly entries = [STEP];
  keeper!: McpRoundKeeper;
  end!: (played: McpPlayedRound) => void;
  private readonly ending = new Promise<McpPlayedRound>((resolve) => (this.end = resolve));

  adopt(keeper: McpRoundKeeper): ReturnType<McpRunningRound['adopt']> {
    this.keeper = keeper;
    return { conversationId: 'c', startedAtMs: 1, entries: [] };
  }

  played(): Promise<McpPlayedRound> {
    return this.ending;
  }
}

function setup(): {
  record: ReturnType<typeof someRecord>;
  round: Running;
  store: InMemoryTaskStore;
  runner: InProcessTaskRunner;
  player: TaskPlayer;
  change: (taskId: string) => void;
  adopted: () => Promise<unknown>;
} {
  const record = someRecord();
  const round = new Running();
  const store = new InMemoryTaskStore();
  const runner = new InProcessTaskRunner();
  const listeners: ((taskId: string) => void)[] = [];
  const host: McpExtensionHost = {
    scope: record.server,
    now: Date.now,
    changed: () => undefined,
    onChanged: (listener) => void listeners.push(listener),
    play: async () => ({ type: 'unplayed', cause: 'not in this spec', entries: [] }),
    readAnswer: () => null,
  };
  const player = new TaskPlayer({ host, store, runner, takeoverMs: 3_000 });
  const change = (taskId: string): void => listeners.forEach((tell) => tell(taskId));
  const adopted = (): Promise<unknown> => player.adopt(round, () => record);
  return { record, round, store, runner, player, change, adopted };
}

let logged: jest.SpiedFunction<Logger['error']>;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'Date'] });
  logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
});

afterEach(() => {
  jest.useRealTimers();
  logged.mockRestore();
});

describe('a round that was taken on', () => {
  it('puts its watch off as long as it runs, and takes it back when it has ended', async () => {
    const { record, round, runner, player, adopted } = setup();
    const postponed = jest.spyOn(runner, 'postpone');
    const withdrawn = jest.spyOn(runner, 'withdraw');
    await adopted();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(postponed.mock.calls).toEqual([
      [ticketOf(record), 3_000],
      [ticketOf(record), 3_000],
    ]);
    round.end(DONE);
    await player.stop(1_000);
    expect(withdrawn.mock.calls).toEqual([[ticketOf(record)]]);
    expect(jest.getTimerCount()).toBe(OF_THE_STORE);
  });

  it('leaves its watch to others once it was told to end, though its handler does not', async () => {
    const { record, round, store, runner, player, change, adopted } = setup();
    const postponed = jest.spyOn(runner, 'postpone');
    await adopted();
    await store.update(record.taskId, (current) => ({ ...current, round: current.round + 1 }));
    change(record.taskId);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(round.keeper.background.signal.aborted).toBe(true);
    expect(postponed).not.toHaveBeenCalled();
    round.end(DONE);
    await player.stop(1_000);
  });

  it('goes on where its watch cannot be put off, as the log says', async () => {
    const { record, round, store, runner, player, adopted } = setup();
    const error = new Error('no runner');
    jest.spyOn(runner, 'postpone').mockRejectedValueOnce(error);
    await adopted();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(logged.mock.calls).toEqual([[error]]);
    round.end(DONE);
    await player.stop(1_000);
    expect(await store.get(record.taskId)).toMatchObject({ status: 'completed' });
  });

  it('is played again at once where it could not be kept', async () => {
    const { record, round, runner, player, adopted } = setup();
    const postponed = jest.spyOn(runner, 'postpone');
    await adopted();
    const cause = new Error('no store');
    round.end({ type: 'unplayed', cause });
    await player.stop(1_000);
    expect(postponed.mock.calls).toEqual([[ticketOf(record), 0]]);
    expect(logged.mock.calls).toEqual([[cause]]);
  });

  it('is left to its watch where even that is not possible', async () => {
    const { round, runner, player, adopted } = setup();
    const [cause, error] = [new Error('no store'), new Error('no runner')];
    jest.spyOn(runner, 'postpone').mockRejectedValue(error);
    await adopted();
    round.end({ type: 'unplayed', cause });
    await player.stop(1_000);
    expect(logged.mock.calls).toEqual([[cause], [error]]);
  });

  it('has its steps and its progress in the record', async () => {
    const { record, round, store, player, adopted } = setup();
    await adopted();
    await round.keeper.save([STEP]);
    round.keeper.background.progress({ progress: 1, total: 2 });
    await new Promise(setImmediate);
    const kept = { entries: [STEP], statusMessage: '1/2' };
    expect(await store.get(record.taskId)).toMatchObject(kept);
    round.end(DONE);
    await player.stop(1_000);
  });

  it('ends when its task is cancelled on another instance', async () => {
    const { record, round, store, player, change, adopted } = setup();
    await adopted();
    await store.update(record.taskId, (current) => cancelled(current, 1));
    change('another');
    change(record.taskId);
    await new Promise(setImmediate);
    expect(round.keeper.background.signal.aborted).toBe(true);
    round.end({ type: 'unplayed', cause: 'told to stop' });
    await player.stop(1_000);
    expect(logged).not.toHaveBeenCalled();
  });

  it('goes on though what is read of it is older than it is', async () => {
    const { record, round, store, player, change, adopted } = setup();
    await adopted();
    jest.spyOn(store, 'get').mockResolvedValueOnce({ ...record, round: record.round - 1 });
    change(record.taskId);
    await new Promise(setImmediate);
    expect(round.keeper.background.signal.aborted).toBe(false);
    round.end(DONE);
    await player.stop(1_000);
  });

  it('goes on where it cannot be known what has changed', async () => {
    const { record, round, store, player, change, adopted } = setup();
    await adopted();
    const error = new Error('no store');
    jest.spyOn(store, 'get').mockRejectedValueOnce(error);
    change(record.taskId);
    await new Promise(setImmediate);
    expect(logged.mock.calls).toEqual([[error]]);
    expect(round.keeper.background.signal.aborted).toBe(false);
    round.end(DONE);
    await player.stop(1_000);
  });

  it('is waited for when the application shuts down, then told to stop and left to others', async () => {
    const { record, round, runner, player, adopted } = setup();
    const postponed = jest.spyOn(runner, 'postpone');
    await adopted();
    const stopped = player.stop(900);
    await jest.advanceTimersByTimeAsync(899);
    expect(round.keeper.background.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await stopped;
    expect(round.keeper.background.signal.reason).toMatchObject({
      message: 'The server is shutting down.',
    });
    expect(postponed.mock.calls).toEqual([[ticketOf(record), 0]]);
    round.end({ type: 'unplayed', cause: 'told to stop' });
    await new Promise(setImmediate);
    expect(postponed).toHaveBeenCalledTimes(1);
    expect(logged).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(OF_THE_STORE);
  });
});
