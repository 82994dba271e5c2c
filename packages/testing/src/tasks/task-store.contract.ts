import assert from 'node:assert/strict';
import type { Awaitable } from '@dacapo/mcp';
import { type McpTaskStore, TaskExistsException, type TaskRecord } from '@dacapo/tasks';
import type { ContractCase } from './contract-case.js';
import { eventually } from './patience.js';
import { sampleRecord, someTaskId, TTL_MS } from './sample-record.js';

/** A store to be tried, as the application would make it. */
export interface TaskStoreSubject {
  readonly store: McpTaskStore;
  /** Another instance that keeps its records in the same place, of a store that is shared. */
  readonly second?: McpTaskStore;
  /** The store's clock, in epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
  /** Lets time pass for the store; by default the contract waits, for some milliseconds. */
  readonly advance?: (ms: number) => Awaitable<void>;
  /** Called when a case has ended. */
  readonly close?: () => Awaitable<void>;
}

/** What a case is given: everything is there. */
interface Trial {
  readonly store: McpTaskStore;
  /** The other instance, or the same one again. */
  readonly other: McpTaskStore;
  readonly now: () => number;
  /** Makes a record known to the store, and gives it. */
  readonly created: (changes?: Partial<TaskRecord>) => Promise<TaskRecord>;
  /** Resolves when the store ought to have forgotten a record. */
  readonly passed: (record: TaskRecord) => Promise<void>;
}

const WRITERS = 8;
const WRITES = 100;
/** How long a task lives that is waited for, in milliseconds. */
const SHORT_TTL_MS = 200;

const count = (record: TaskRecord): TaskRecord => ({ ...record, round: record.round + 1 });

const CASES: Readonly<Record<string, (trial: Trial) => Promise<void>>> = {
  'gives what was created, to every instance': async ({ store, other, created }) => {
    const record = await created();
    assert.deepEqual(await store.get(record.taskId), record);
    assert.deepEqual(await other.get(record.taskId), record);
  },

  'gives what was changed, to every instance': async ({ store, other, created }) => {
    const { taskId } = await created();
    for (const writer of [store, other]) {
      const changed = await writer.update(taskId, count);
      assert.deepEqual(await store.get(taskId), changed);
      assert.deepEqual(await other.get(taskId), changed);
    }
    assert.equal((await store.get(taskId))?.round, 2);
  },

  'lets members of a record go': async ({ store, created }) => {
    const { taskId } = await created();
    await store.update(taskId, ({ statusMessage: _message, ...rest }) => rest);
    const record = await store.get(taskId);
    assert.ok(record !== undefined && !('statusMessage' in record));
  },

  'keeps one task apart from another': async ({ store, created }) => {
    const [first, second] = [await created(), await created()];
    await store.update(first.taskId, count);
    assert.deepEqual(await store.get(second.taskId), second);
  },

  'knows nothing of what was never created': async ({ store }) => {
    const taskId = someTaskId();
    assert.equal(await store.get(taskId), undefined);
    let called = false;
    const changed = await store.update(taskId, (record) => {
      called = true;
      return record;
    });
    assert.deepEqual([changed, called], [undefined, false]);
    assert.equal(await store.get(taskId), undefined);
  },

  'refuses an id that is taken, and keeps what has it': async ({ other, store, created }) => {
    const record = await created();
    await assert.rejects(other.create({ ...record, round: 7 }), TaskExistsException);
    assert.deepEqual(await store.get(record.taskId), record);
  },

  'creates one of several with the same id': async ({ store, other, now }) => {
    const record = sampleRecord(now());
    const results = await Promise.allSettled(
      Array.from({ length: WRITERS }, (_, index) =>
        (index % 2 === 0 ? store : other).create({ ...record, round: index }),
      ),
    );
    const refused = results.flatMap((result): unknown[] =>
      result.status === 'rejected' ? [result.reason] : [],
    );
    assert.equal(refused.length, WRITERS - 1);
    for (const reason of refused) assert.ok(reason instanceof TaskExistsException);
    const winner = results.findIndex(({ status }) => status === 'fulfilled');
    assert.equal((await store.get(record.taskId))?.round, winner);
  },

  'does not notice what becomes of what it was given': async ({ store, now }) => {
    const record = sampleRecord(now());
    const given = structuredClone(record);
    await store.create(given);
    spoil(given);
    assert.deepEqual(await store.get(record.taskId), record);
    const replacement = { ...structuredClone(record), round: 1 };
    await store.update(record.taskId, () => replacement);
    spoil(replacement);
    assert.deepEqual(await store.get(record.taskId), { ...record, round: 1, version: 2 });
  },

  'does not notice what becomes of what it has given': async ({ store, created }) => {
    const record = await created();
    const got = (await store.get(record.taskId)) as TaskRecord;
    spoil(got);
    assert.deepEqual(await store.get(record.taskId), record);
    const changed = (await store.update(record.taskId, count)) as TaskRecord;
    spoil(changed);
    await store
      .update(record.taskId, (current) => {
        spoil(current);
        throw new Error('after all not');
      })
      .catch(() => undefined);
    assert.deepEqual(await store.get(record.taskId), { ...record, round: 1, version: 2 });
  },

  'writes nothing when nothing has changed': async ({ store, created }) => {
    const record = await created();
    assert.deepEqual(await store.update(record.taskId, (same) => same), record);
    assert.deepEqual(await store.get(record.taskId), record);
  },

  'changes nothing when the change throws': async ({ store, created }) => {
    const record = await created();
    const bug = new Error('a bug');
    const failing = store.update(record.taskId, () => {
      throw bug;
    });
    await assert.rejects(failing, (error) => error === bug);
    assert.deepEqual(await store.get(record.taskId), record);
    assert.equal((await store.update(record.taskId, count))?.round, 1);
  },

  'counts the changes of a record': async ({ store, created }) => {
    const { taskId } = await created({ version: 1 });
    for (const version of [2, 3, 4]) {
      assert.equal((await store.update(taskId, count))?.version, version);
    }
    assert.equal((await store.get(taskId))?.version, 4);
  },

  'changes one after the other, though all come at once': async ({ store, other, created }) => {
    const { taskId } = await created();
    await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        for (let write = 0; write < WRITES; write += 1) {
          await (writer % 2 === 0 ? store : other).update(taskId, count);
        }
      }),
    );
    const record = await store.get(taskId);
    assert.deepEqual([record?.round, record?.version], [WRITERS * WRITES, WRITERS * WRITES + 1]);
  },

  'does not change what has ended': async ({ store, other, created }) => {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      const { taskId } = await created();
      const ended = await store.update(taskId, (record) => ({ ...record, status }));
      for (const late of [store, other]) {
        const answer = await late.update(taskId, (record) => ({ ...record, status: 'working' }));
        assert.deepEqual(answer, ended);
      }
      assert.deepEqual(await store.get(taskId), ended);
    }
  },

  'ends a task once': async ({ store, other, created }) => {
    const { taskId } = await created();
    const ends = ['completed', 'cancelled'] as const;
    const [one, two] = await Promise.all(
      ends.map((status, index) =>
        (index === 0 ? store : other).update(taskId, (record) => ({ ...record, status })),
      ),
    );
    assert.deepEqual(one, two);
    assert.equal(one?.version, 2);
  },

  'forgets what is deleted, and deletes it again in vain': async ({ store, other, created }) => {
    const record = await created();
    await store.delete(record.taskId);
    assert.equal(await other.get(record.taskId), undefined);
    assert.equal(await other.update(record.taskId, count), undefined);
    await other.delete(record.taskId);
    await store.create(record);
    assert.deepEqual(await other.get(record.taskId), record);
  },

  'counts the life of a task from its beginning': async ({ store, now, created }) => {
    const half = await created({ createdAtMs: now() - TTL_MS / 2 });
    assert.deepEqual(await store.get(half.taskId), half);
    const late = await created({ createdAtMs: now() - TTL_MS - 1_000 });
    assert.equal(await store.get(late.taskId), undefined);
    assert.equal(await store.update(late.taskId, count), undefined);
  },

  'forgets a task when its time has come': async ({ store, other, created, passed }) => {
    const record = await created({ ttlMs: SHORT_TTL_MS });
    await passed(record);
    assert.equal(await store.get(record.taskId), undefined);
    assert.equal(await other.update(record.taskId, count), undefined);
    assert.equal(await store.get(record.taskId), undefined);
  },

  'forgets a changed task no later': async ({ store, created, passed }) => {
    const record = await created({ ttlMs: SHORT_TTL_MS });
    await store.update(record.taskId, count);
    await passed(record);
    assert.equal(await store.get(record.taskId), undefined);
  },

  'gives the id of a forgotten task away': async ({ store, now, created, passed }) => {
    const record = await created({ ttlMs: SHORT_TTL_MS });
    await passed(record);
    const next = { ...record, createdAtMs: now(), ttlMs: TTL_MS, round: 5 };
    await store.create(next);
    assert.deepEqual(await store.get(record.taskId), next);
  },

  'keeps megabytes': async ({ store, created }) => {
    const megabytes = 'Sachertorte '.repeat(400_000);
    const record = await created({ answers: { 'elicit-1': megabytes } });
    assert.deepEqual(await store.get(record.taskId), record);
    const changed = await store.update(record.taskId, count);
    assert.equal(changed?.answers['elicit-1'], megabytes);
    assert.equal((await store.get(record.taskId))?.round, 1);
  },

  'keeps every string and every name as it is': async ({ store, created }) => {
    const texts = ['', '\u0000', 'Grüße 🍰 \u2028', '\ud800 alone', '"\\\n', '{"a":1}', '%s $& :*'];
    const record = await created({
      statusMessage: texts.join(' '),
      answers: JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":2,"toString":"x","":[]}',
      ) as TaskRecord['answers'],
    });
    for (const text of texts) {
      const changed = await store.update(record.taskId, (current) => ({
        ...current,
        call: { ...current.call, arguments: { [text]: text } },
      }));
      assert.deepEqual(changed?.call.arguments, { [text]: text });
      const got = (await store.get(record.taskId)) as TaskRecord;
      assert.deepEqual(got.call.arguments, { [text]: text });
      assert.equal(got.statusMessage, record.statusMessage);
      assert.equal(JSON.stringify(got.answers), JSON.stringify(record.answers));
    }
  },
};

/**
 * What every task store does, as cases for a test framework. Each makes a store of its own.
 *
 * @example
 * it.each(taskStoreContract(() => ({ store: new MyTaskStore() })))('%s', (_name, run) => run());
 */
export function taskStoreContract(makeStore: () => Awaitable<TaskStoreSubject>): ContractCase[] {
  return Object.entries(CASES).map(([name, run]) => [
    name,
    async () => {
      const subject = await makeStore();
      try {
        await run(trialOf(subject));
      } finally {
        await subject.close?.();
      }
    },
  ]);
}

function trialOf({ store, second = store, now = Date.now, advance }: TaskStoreSubject): Trial {
  return {
    store,
    other: second,
    now,
    async created(changes) {
      const record = sampleRecord(now(), changes);
      await store.create(record);
      return record;
    },
    async passed({ taskId }) {
      if (advance !== undefined) return advance(SHORT_TTL_MS);
      await eventually(async () => assert.equal(await store.get(taskId), undefined));
    },
  };
}

/** Changes a record, deep down, behind its store's back. */
function spoil(record: TaskRecord): void {
  Object.assign(record.call.arguments, { cake: 'spoilt' });
  Object.assign(record, { round: 99, answers: {} });
}
