import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { McpExtensionHost } from '@dacapo/mcp';
import type { McpPlayedRound } from '@dacapo/mcp';
import type { CallToolResult } from '@dacapo/mcp';
import { InProcessTaskRunner } from './runner/in-process-task.runner.js';
import type { McpTaskRunner } from './runner/mcp-task.runner.js';
import type { TaskChange } from './store/mcp-task.store.js';
import { InMemoryTaskStore } from './store/in-memory-task.store.js';
import { cancelled } from './task-changes.js';
import { TaskPlayer, ticketOf } from './task-player.js';
import { someRecord } from './task-record.fixture.js';
import type { TaskRecord } from './task-record.js';

type Play = McpExtensionHost['play'];
type Played = McpPlayedRound<CallToolResult>;

const DONE: Played = {
  type: 'completed',
  result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] },
};
const FAILED: Played = {
  type: 'completed',
  result: { resultType: 'complete', content: [], isError: true },
};
const ASKS: Played = {
  type: 'suspended',
  inputRequests: { 'roots-1': { method: 'roots/list' } },
};

/** A store in which something comes between the reading and the writing of a change, once. */
class Contended extends InMemoryTaskStore {
  between?: (() => Promise<unknown>) | undefined;

  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    const { between } = this;
    const read = await this.get(taskId);
    if (between !== undefined && read !== undefined) {
      this.between = undefined;
      change(read);
      await between();
    }
    return super.replace(taskId, change);
  }
}

let store: Contended;
let record: TaskRecord;
let changed: string[];

function player(play: Play, runner: McpTaskRunner = new InProcessTaskRunner()): TaskPlayer {
  const host: McpExtensionHost = {
    scope: record.server,
    now: Date.now,
    changed: (taskId) => void changed.push(taskId),
    onChanged: () => undefined,
    play,
    readAnswer: () => null,
  };
  return new TaskPlayer({ host, store, runner, takeoverMs: 60_000 });
}

/** Plays rounds that end like this. */
const ending =
  (played: Played): Play =>
  async ({ entries }) => ({ ...played, entries });

beforeEach(async () => {
  [store, record, changed] = [new Contended(), someRecord({ round: 0, due: true }), []];
  await store.create(record);
});

const cancel = (): Promise<unknown> =>
  store.update(record.taskId, (current) => cancelled(current, Date.now()));

describe('the beginning of a round', () => {
  it('raises its number', async () => {
    const play = jest.fn(ending(DONE));
    await player(play).play(ticketOf(record));
    expect(play.mock.calls.map(([{ round }]) => round)).toEqual([1]);
    expect(await store.get(record.taskId)).toMatchObject({ round: 1, status: 'completed' });
    expect(changed).toEqual([record.taskId]);
  });

  it.each<[string, Partial<TaskRecord>]>([
    ['is not due', { due: false }],
    ['waits for another job', { wake: 7 }],
    ['is of another server', { server: 'another' }],
    ['has ended', { status: 'cancelled' }],
  ])('does not come where the task %s', async (_, rest) => {
    const play = jest.fn(ending(DONE));
    const other = someRecord({ due: true, ...rest });
    await store.create(other);
    await player(play).play({ ...ticketOf(record), taskId: other.taskId });
    expect(play).not.toHaveBeenCalled();
  });

  it('does not come where the task is cancelled at that moment', async () => {
    const play = jest.fn(ending(DONE));
    store.between = cancel;
    await player(play).play(ticketOf(record));
    expect(play).not.toHaveBeenCalled();
    expect(await store.get(record.taskId)).toMatchObject({ status: 'cancelled', round: 0 });
  });
});

describe('what a round records', () => {
  it('is refused where the task is cancelled at that moment, which ends the round', async () => {
    let signal: AbortSignal | undefined;
    const refusals: unknown[] = [];
    await player(async ({ save, entries, background }) => {
      signal = background.signal;
      store.between = cancel;
      await save(entries).catch((error: unknown) => refusals.push(error));
      return { type: 'unplayed', cause: 'not kept', entries };
    }).play(ticketOf(record));
    expect(refusals).toEqual([new Error('The task has ended, or is played elsewhere.')]);
    expect(signal?.aborted).toBe(true);
  });
});

describe('the end of a round', () => {
  it('has its job tried again where it was not played', async () => {
    const cause = new Error('busy');
    const played = player(ending({ type: 'unplayed', cause })).play(ticketOf(record));
    await expect(played).rejects.toBe(cause);
    expect(await store.get(record.taskId)).toMatchObject({ status: 'working', due: true });
  });

  it.each([
    ['an error of the tool', FAILED],
    ['an error of the protocol', { type: 'failed', error: { code: 1, message: 'no' } } as const],
  ])('is not that of its task with %s, where it was told to stop', async (_, failed) => {
    const rounds: TaskPlayer = player(async ({ entries }) => {
      await rounds.stop(0);
      return { ...failed, entries };
    });
    await expect(rounds.play(ticketOf(record))).rejects.toMatchObject({ name: 'AbortError' });
    expect(await store.get(record.taskId)).toMatchObject({ status: 'working', due: true });
  });

  it.each([
    ['a result', DONE, 'completed'],
    ['a question', ASKS, 'input_required'],
  ] as const)('is kept with %s, though it was told to stop', async (_, played, status) => {
    const rounds: TaskPlayer = player(async ({ entries }) => {
      await rounds.stop(0);
      return { ...played, entries };
    });
    await rounds.play(ticketOf(record));
    expect(await store.get(record.taskId)).toMatchObject({ status });
  });

  it('tells how far it came when it asks, though that was not written yet', async () => {
    const play: Play = async ({ background, entries }) => {
      for (const progress of [1, 2, 3]) background.progress({ progress, total: 3 });
      return { ...ASKS, entries };
    };
    await player(play).play(ticketOf(record));
    expect(await store.get(record.taskId)).toMatchObject({ statusMessage: '3/3' });
  });

  it('leaves the next job to its own or the next poll, where the runner does not take it', async () => {
    const runner = new InProcessTaskRunner();
    const refusing = jest.spyOn(runner, 'schedule').mockRejectedValue(new Error('no runner'));
    const play: Play = async ({ entries }) => {
      await store.update(record.taskId, (current) => ({ ...current, answers: { late: 'yes' } }));
      return { ...ASKS, entries };
    };
    const rounds = player(play, runner);
    await expect(rounds.play(ticketOf(record))).rejects.toThrow('no runner');
    const left = await store.get(record.taskId);
    expect(left).toMatchObject({ due: true, wake: record.wake + 1 });
    refusing.mockRestore();
    const scheduled = jest.spyOn(runner, 'schedule');
    const next = ticketOf(left as TaskRecord);
    await rounds.play(ticketOf(record));
    expect(scheduled.mock.calls).toEqual([[next]]);
    await rounds.wake(left);
    expect(scheduled.mock.calls).toEqual([[next], [next]]);
    await rounds.play({ ...next, wake: next.wake + 1 });
    expect(scheduled).toHaveBeenCalledTimes(2);
  });
});

describe('progress', () => {
  it('that cannot be written is logged, and the round goes on', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const error = new Error('no store');
    const rounds = player(async ({ background, entries }) => {
      store.between = () => Promise.reject(error);
      background.progress({ progress: 1 });
      await new Promise(setImmediate);
      return { ...DONE, entries };
    });
    await rounds.play(ticketOf(record));
    expect(logged.mock.calls).toEqual([[error]]);
    logged.mockRestore();
    expect(await store.get(record.taskId)).toMatchObject({ status: 'completed' });
  });
});
