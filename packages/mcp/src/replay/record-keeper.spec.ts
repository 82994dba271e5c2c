import { setTimeout as pause } from 'node:timers/promises';
import {
  EntryTooLargeException,
  InvalidStepException,
  LedgerMismatchException,
  OutsideHandlerException,
} from '../exceptions/index.js';
import { ReplayExecution, type RoundSetup } from './execution.js';
import { Ledger, type LedgerEntry, type RecordEntry } from './ledger.js';
import { plainAsk, roundSetup } from './round.fixture.js';
import type { Ask } from './ask.js';
import type { StepScope } from './step.js';
import { isAskRejection, isSuspension } from './suspension.js';

const done = (key: string, outcome?: RecordEntry['outcome']): RecordEntry => ({
  key,
  kind: key.split('/')[0] as RecordEntry['kind'],
  ...(outcome !== undefined && { outcome }),
});

const answered: LedgerEntry = {
  key: 'elicit-1',
  kind: 'elicit',
  fingerprint: 'a',
  label: 'a',
  outcome: 'yes',
};

const ask = (text: string) => (): Ask<unknown> => plainAsk(text);

function round(
  entries: LedgerEntry[] = [],
  rest: Partial<RoundSetup> = {},
): { execution: ReplayExecution; ledger: Ledger } {
  const ledger = new Ledger(entries);
  return { execution: new ReplayExecution(roundSetup({ ledger, ...rest })), ledger };
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'succeeded',
    (error: unknown) => error,
  );

const never = (): never => {
  throw new Error('it was done again');
};

describe('A step', () => {
  it('is done, and recorded under its name', async () => {
    const { execution, ledger } = round();
    expect(await execution.step('charge', () => ({ id: 5 }))).toEqual({ id: 5 });
    expect(ledger.entries).toEqual([done('step/charge', { id: 5 })]);
    expect(ledger.hasSteps).toBe(true);
  });

  it('is not done again', async () => {
    const { execution, ledger } = round([done('step/charge', { id: 5 })]);
    expect(await execution.step('charge', never)).toEqual({ id: 5 });
    expect(ledger.size).toBe(1);
  });

  it.each([[undefined], [null], [0], [''], [false]])('may return %j', async (value) => {
    const { execution, ledger } = round();
    expect(await execution.step('s', () => value)).toBe(value);
    expect(ledger.entries).toEqual([done('step/s', value)]);
    const next = round([...ledger.entries]).execution;
    expect(await next.step('s', never)).toBe(value);
  });

  it('returns what JSON makes of a value, live and replayed', async () => {
    const { execution, ledger } = round();
    const live = await execution.step('s', async () => ({ at: new Date(0), gone: undefined }));
    expect(live).toEqual({ at: '1970-01-01T00:00:00.000Z' });
    const replayed = await round([...ledger.entries]).execution.step('s', never);
    expect(replayed).toEqual(live);
  });

  it('hands out copies: the ledger stays what it is', async () => {
    const { execution, ledger } = round([done('step/a', { rows: [1] })]);
    const replayed: { rows: number[] } = await execution.step('a', never);
    const live = await execution.step('b', () => ({ rows: [1] }));
    replayed.rows.push(2);
    live.rows.push(2);
    expect(ledger.entries).toEqual([done('step/a', { rows: [1] }), done('step/b', { rows: [1] })]);
  });

  it('claims its key in the order of the calls, and counts repeats', async () => {
    const { execution, ledger } = round();
    const slow = execution.step('s', () => pause(10, 'first'));
    const fast = execution.step('s', () => 'second');
    expect(await Promise.all([slow, fast])).toEqual(['first', 'second']);
    expect(ledger.record('step/s')?.outcome).toBe('first');
    expect(ledger.record('step/s:2')?.outcome).toBe('second');
  });

  it('is in no way of the answers to questions', async () => {
    const { execution, ledger } = round([done('step/elicit-1', 'a record')]);
    void failureOf(execution.ask(ask('a')));
    expect(ledger.question('step/elicit-1')).toBeUndefined();
    expect(ledger.record('elicit-1')).toBeUndefined();
    expect(ledger.question('elicit-1')?.label).toBe('a');
  });

  describe('that fails', () => {
    it('is not recorded, and throws what its work has thrown', async () => {
      const { execution, ledger } = round();
      const error = new Error('declined');
      const failed = execution.step('charge', () => {
        throw error;
      });
      expect(await failureOf(failed)).toBe(error);
      expect(isAskRejection(error)).toBe(true);
      expect(ledger.size).toBe(0);
    });

    it('may throw anything', async () => {
      const { execution } = round();
      const failed = execution.step('s', () => {
        throw 'text' as unknown as Error;
      });
      expect(await failureOf(failed)).toBe('text');
    });

    it('is tried as often as it may be', async () => {
      const { execution, ledger } = round();
      const attempts: number[] = [];
      const value = await execution.step(
        's',
        ({ attempt }) => {
          attempts.push(attempt);
          if (attempt < 3) throw new Error('not yet');
          return 'done';
        },
        { retries: 2, backoffMs: 10 },
      );
      expect(value).toBe('done');
      expect(attempts).toEqual([1, 2, 3]);
      expect(ledger.entries).toEqual([done('step/s', 'done')]);
    });

    it('throws the last error when it has been tried often enough', async () => {
      const { execution } = round();
      const failed = execution.step('s', ({ attempt }) => Promise.reject(new Error(`${attempt}`)), {
        retries: 2,
        backoffMs: 0,
      });
      expect(await failureOf(failed)).toMatchObject({ message: '3' });
    });

    it('is not tried again once the client has gone', async () => {
      const client = new AbortController();
      const { execution } = round([], { call: client });
      const failed = execution.step(
        's',
        ({ attempt, signal }) => {
          client.abort();
          throw new Error(`${attempt} ${signal.aborted}`);
        },
        { retries: 5, backoffMs: 60_000 },
      );
      expect(await failureOf(failed)).toMatchObject({ message: '1 true' });
    });

    it('is not tried again once the round suspends', async () => {
      const { execution, ledger } = round();
      const failed = execution.step('s', () => Promise.reject(new Error('declined')), {
        retries: 5,
        backoffMs: 60_000,
      });
      const asked = execution.ask(ask('a'));
      expect(isSuspension(await failureOf(asked))).toBe(true);
      expect(await failureOf(failed)).toMatchObject({ message: 'declined' });
      await execution.settle();
      expect(ledger.entries.map(({ key }) => key)).toEqual(['elicit-1']);
    });
  });

  describe('in a round that suspends', () => {
    it('is awaited and recorded', async () => {
      const { execution, ledger } = round();
      void execution.step('slow', () => pause(20, 'recorded'));
      expect(isSuspension(await failureOf(execution.ask(ask('a'))))).toBe(true);
      expect(ledger.record('step/slow')).toBeUndefined();
      await execution.settle();
      expect(ledger.record('step/slow')?.outcome).toBe('recorded');
    });

    it('is not begun any more', async () => {
      const { execution, ledger } = round();
      await failureOf(execution.ask(ask('a')));
      const late = await failureOf(execution.step('s', never));
      expect(isSuspension(late)).toBe(true);
      expect(() => execution.draw('now()', (records) => records.now())).toThrow(late as Error);
      expect(ledger.size).toBe(1);
    });
  });

  it('is not begun after the handler has settled', async () => {
    const { execution } = round();
    await execution.settle();
    expect(await failureOf(execution.step('s', never))).toBeInstanceOf(OutsideHandlerException);
    expect(() => execution.draw('now()', (records) => records.now())).toThrow(
      /now\(\) was called after "handler" had settled/,
    );
  });

  describe('knows an idempotency key', () => {
    it('that is its own, in every round and attempt', async () => {
      const keys: string[] = [];
      const note = ({ idempotencyKey }: StepScope): void => void keys.push(idempotencyKey);
      const first = round().execution;
      await first.step('charge', note);
      await first.step('charge', note);
      await first.step('refund', note);
      await round().execution.step('charge', note);
      await round([], { conversationId: 'another' }).execution.step('charge', note);
      expect(new Set(keys).size).toBe(4);
      expect(keys[3]).toBe(keys[0]);
      for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
    });

    it('wherever it is read in the step, and nowhere else', async () => {
      const { execution } = round();
      const read = (): string => execution.idempotencyKey;
      expect(
        await execution.step('charge', async ({ idempotencyKey }) => {
          await pause(1);
          return read() === idempotencyKey;
        }),
      ).toBe(true);
      expect(read).toThrow(InvalidStepException);
      expect(read).toThrow(/no idempotency key where no step is running.+Read it within ctx\.step/);
    });

    it('while its round suspends, for it goes on', async () => {
      const { execution, ledger } = round();
      void execution.step('slow', async ({ idempotencyKey }) => {
        await pause(20);
        return execution.idempotencyKey === idempotencyKey;
      });
      expect(isSuspension(await failureOf(execution.ask(ask('a'))))).toBe(true);
      await execution.settle();
      expect(ledger.record('step/slow')?.outcome).toBe(true);
    });
  });

  describe('is refused', () => {
    it.each<[string, (execution: ReplayExecution) => unknown]>([
      ['a question', (execution) => execution.ask(ask('a'))],
      ['the step "inner"', (execution) => execution.step('inner', never)],
      ['now()', (execution) => execution.draw('now()', (records) => records.now())],
      ['uuid()', (execution) => execution.draw('uuid()', (records) => records.uuid())],
      [
        'the version "v"',
        (execution) => execution.draw('v', (records) => records.version('v', 1, 2)),
      ],
    ])('with %s in it', async (what, nested) => {
      const { execution, ledger } = round();
      const failed = execution.step('outer', async () => {
        await pause(1);
        return nested(execution);
      });
      const error = await failureOf(failed);
      expect(error).toBeInstanceOf(InvalidStepException);
      expect((error as Error).message).toContain(
        `"handler" has ${what} within the step "outer". A step is one piece of work`,
      );
      expect(ledger.size).toBe(0);
    });

    it('but not for what another conversation does in it', async () => {
      const { execution } = round();
      const value = execution.step('outer', () => round().execution.step('inner', () => 'done'));
      expect(await value).toBe('done');
    });

    it('with a value that JSON would lose, without another attempt', async () => {
      const { execution, ledger } = round();
      let attempts = 0;
      const failed = execution.step(
        's',
        () => {
          attempts += 1;
          return { total: 5n };
        },
        { retries: 3 },
      );
      expect(await failureOf(failed)).toMatchObject({
        name: 'InvalidStepException',
        message:
          'The entry "step/s" of "handler" cannot be recorded: the value.total is a BigInt. Return it as text: value.toString().',
      });
      expect(attempts).toBe(1);
      expect(ledger.size).toBe(0);
    });

    it('with more than an entry may hold', async () => {
      const { execution, ledger } = round([], { maxEntryBytes: 10 });
      expect(await execution.step('fits', () => 'x'.repeat(8))).toHaveLength(8);
      const error = await failureOf(execution.step('large', () => 'ä'.repeat(5)));
      expect(error).toBeInstanceOf(EntryTooLargeException);
      expect(error).toMatchObject({ key: 'step/large', bytes: 12, maxEntryBytes: 10 });
      expect((error as Error).message).toMatch(/"step\/large" of "handler" would be 12 bytes/);
      expect(ledger.size).toBe(1);
    });

    it.each([
      ['a b', () => 1, {}, /names a step "a b", which cannot be a key/],
      ['s', undefined, {}, /has no work to do\. Give a function/],
      ['s', () => 1, { retries: -1 }, /has -1 retries with 0 ms/],
      ['s', () => 1, { retries: 101 }, /at most 100 retries/],
      ['s', () => 1, { retries: 1.5 }, /Give integers/],
      ['s', () => 1, { backoffMs: Number.NaN }, /NaN ms between them/],
    ])('with %j, %p and %j', async (name, work, options, text) => {
      const { execution } = round();
      const error = await failureOf(execution.step(name, work as () => number, options));
      expect(error).toBeInstanceOf(InvalidStepException);
      expect((error as Error).message).toMatch(text);
    });
  });
});

describe('What is drawn', () => {
  it('is recorded, and the same in every round', () => {
    const { execution, ledger } = round([], { now: () => 42 });
    const draw = (of: ReplayExecution): unknown[] => [
      of.draw('now()', (records) => records.now()),
      of.draw('random()', (records) => records.random()),
      of.draw('uuid()', (records) => records.uuid()),
      of.draw('random()', (records) => records.random()),
    ];
    const drawn = draw(execution);
    expect(drawn).toEqual([
      42,
      expect.any(Number),
      expect.stringMatching(/^[\da-f-]{36}$/),
      expect.any(Number),
    ]);
    expect(drawn[1]).not.toBe(drawn[3]);
    expect(ledger.entries.map(({ key }) => key)).toEqual([
      'now/1',
      'random/1',
      'uuid/1',
      'random/2',
    ]);
    expect(draw(round([...ledger.entries], { now: () => 43 }).execution)).toEqual(drawn);
    expect(ledger.hasSteps).toBe(false);
  });
});

describe('A version', () => {
  const version = (of: ReplayExecution, oldest = 1, newest = 3): number =>
    of.draw('version()', (records) => records.version('tax', oldest, newest));

  it('is the newest where no round has been', () => {
    const { execution, ledger } = round();
    expect([version(execution), version(execution)]).toEqual([3, 3]);
    expect(ledger.entries).toEqual([done('version/tax', 3)]);
  });

  it('is the newest behind the last question', async () => {
    const { execution } = round([answered]);
    await execution.ask(ask('a'));
    expect(version(execution)).toBe(3);
  });

  it('is the oldest where a round has been before it was there, and stays so', async () => {
    const { execution, ledger } = round([answered]);
    expect(version(execution)).toBe(1);
    await execution.ask(ask('a'));
    expect(version(execution)).toBe(1);
    expect(version(round([...ledger.entries]).execution)).toBe(1);
  });

  it('is what is recorded', () => {
    expect(version(round([done('version/tax', 2)]).execution)).toBe(2);
  });

  it.each([
    [1, 2, 3],
    [4, 1, 3],
  ])('of %d ends a round whose code knows %d to %d only', async (recorded, oldest, newest) => {
    const { execution } = round([answered, done('version/tax', recorded)]);
    let error: unknown;
    try {
      version(execution, oldest, newest);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(LedgerMismatchException);
    expect(error).toMatchObject({
      key: 'version/tax',
      position: 2,
      recorded: { kind: 'version', label: String(recorded) },
      attempted: { kind: 'version', label: `${oldest} to ${newest}` },
    });
    expect(execution.failure).toBe(error);
    expect(await failureOf(execution.ask(ask('a')))).toBe(error);
  });

  it.each([
    [2, 1],
    [1.5, 2],
    [1, Number.NaN],
  ])('of %d to %d is refused', (oldest, newest) => {
    expect(() => version(round().execution, oldest, newest)).toThrow(InvalidStepException);
  });
});

describe('What earlier rounds have', () => {
  it('counts as covered ground until the handler has come to all of it', async () => {
    const { execution } = round([done('step/a', 1), answered, done('step/b', 2)]);
    expect([execution.replaying, execution.muted]).toEqual([true, true]);
    await execution.step('a', never);
    await execution.ask(ask('a'));
    expect(execution.replaying).toBe(true);
    expect(execution.freshSince).toBeUndefined();
    await execution.step('b', never);
    expect([execution.replaying, execution.muted]).toEqual([false, false]);
    expect(execution.freshSince).toEqual(expect.any(Number));
  });

  it('is left over when the handler does not come to it', async () => {
    const { execution } = round([done('step/a', 1), done('step/b', 2), answered]);
    await execution.step('b', never);
    expect(execution.leftover).toEqual(['step/a', 'elicit-1']);
  });
});
