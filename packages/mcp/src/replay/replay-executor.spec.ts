import { ForgottenAwaitException, LedgerMismatchException } from '../exceptions/index.js';
import type { Ask } from './ask.js';
import { ReplayExecution } from './execution.js';
import type { LedgerEntry } from './ledger.js';
import { ReplayExecutor, type RoundOutcome } from './replay-executor.js';
import { roundSetup } from './round.fixture.js';

const request = {
  method: 'elicitation/create',
  params: { message: 'm', requestedSchema: { type: 'object', properties: {} } },
} as const satisfies Ask<unknown>['request'];

const ask =
  (text: string): (() => Ask<unknown>) =>
  () => ({
    kind: 'elicit',
    label: text,
    fingerprint: text,
    request,
    restate: () => request,
    judge: (answer) => ({ accepted: true, outcome: answer }),
    revive: (outcome) => outcome,
  });

const settled = (key: string, text: string): LedgerEntry => ({
  key,
  kind: 'elicit',
  fingerprint: text,
  label: text,
  outcome: `answer to ${text}`,
});

type Handler = (execution: ReplayExecution) => Promise<unknown>;

function play(handler: Handler, entries: LedgerEntry[] = []): Promise<RoundOutcome<unknown>> {
  const execution = new ReplayExecution(roundSetup({ entries }));
  return new ReplayExecutor().execute(execution, () => handler(execution));
}

const swallow = async (execution: ReplayExecution, text: string): Promise<unknown> => {
  try {
    return await execution.ask(ask(text));
  } catch {
    return 'swallowed';
  }
};

describe('ReplayExecutor', () => {
  it('completes a handler that asks nothing', async () => {
    expect(await play(async () => 42)).toEqual({ type: 'completed', value: 42 });
  });

  it('completes a handler whose questions are all settled', async () => {
    const outcome = await play((execution) => execution.ask(ask('a')), [settled('elicit-1', 'a')]);
    expect(outcome).toEqual({ type: 'completed', value: 'answer to a' });
  });

  it('throws the error of a handler', async () => {
    await expect(play(async () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
  });

  it('throws the error of a handler that throws before it returns a promise', async () => {
    const handler = (): never => {
      throw new Error('at once');
    };
    await expect(play(handler)).rejects.toThrow('at once');
  });

  it.each<[string, Handler]>([
    ['awaits', (execution) => execution.ask(ask('a'))],
    ['swallows the signal and returns a value', (execution) => swallow(execution, 'a')],
    [
      'throws another error over it',
      async (execution) => {
        await swallow(execution, 'a');
        throw new Error('unrelated');
      },
    ],
    [
      'fails before its question has suspended',
      async (execution) => {
        void swallow(execution, 'a');
        throw new Error('unrelated');
      },
    ],
    [
      'races the question with time',
      (execution) =>
        Promise.race([execution.ask(ask('a')), new Promise((resolve) => setTimeout(resolve, 5))]),
    ],
    [
      'asks again after swallowing',
      async (execution) => {
        await swallow(execution, 'a');
        return swallow(execution, 'b');
      },
    ],
  ])('suspends a handler that %s', async (_, handler) => {
    expect(await play(handler)).toEqual({
      type: 'suspended',
      inputRequests: { 'elicit-1': request },
    });
  });

  it.each<[string, string, Handler]>([
    [
      'does not wait for the answer',
      'elicit-1',
      async (execution) => {
        void swallow(execution, 'a');
        return 'done';
      },
    ],
    [
      'does not wait for the second of two answers',
      'elicit-1',
      async (execution) => {
        void Promise.all([swallow(execution, 'a'), swallow(execution, 'b')]);
      },
    ],
    [
      'does not wait for a step',
      'step/slow',
      async (execution) => {
        void execution.step('slow', () => new Promise((resolve) => setTimeout(resolve, 5)));
      },
    ],
    [
      'races an answer with what is there already',
      'elicit-1',
      (execution) => Promise.race([execution.ask(ask('a')), Promise.resolve('faster')]),
    ],
  ])('refuses what a handler returns that %s', async (_, key, handler) => {
    const error: unknown = await play(handler).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ForgottenAwaitException);
    expect(error).toMatchObject({
      key,
      message: expect.stringMatching(
        new RegExp(`^"handler" returned while "${key}" was still open\\. Await every`),
      ) as string,
    });
  });

  it('lets finally run, and waits for it, before the round ends', async () => {
    const steps: string[] = [];
    const outcome = await play(async (execution) => {
      try {
        return await execution.ask(ask('a'));
      } finally {
        await new Promise(setImmediate);
        steps.push('released');
      }
    });
    expect(steps).toEqual(['released']);
    expect(outcome.type).toBe('suspended');
  });

  it('collects the questions of parallel branches in one round', async () => {
    const outcome = await play((execution) =>
      Promise.all([execution.ask(ask('a')), execution.ask(ask('b')), execution.ask(ask('c'))]),
    );
    expect(outcome).toEqual({
      type: 'suspended',
      inputRequests: { 'elicit-1': request, 'elicit-2': request, 'elicit-3': request },
    });
  });

  it('asks only what is still open of a partly answered round', async () => {
    const outcome = await play(
      (execution) => Promise.all([execution.ask(ask('a')), execution.ask(ask('b'))]),
      [settled('elicit-1', 'a'), { ...settled('elicit-2', 'b'), outcome: undefined }],
    );
    expect(outcome).toEqual({ type: 'suspended', inputRequests: { 'elicit-2': request } });
  });

  it('throws a mismatch even when the handler swallows it', async () => {
    const played = play((execution) => swallow(execution, 'b'), [settled('elicit-1', 'a')]);
    await expect(played).rejects.toBeInstanceOf(LedgerMismatchException);
  });

  it('throws a mismatch rather than asking what is still open', async () => {
    const played = play(
      (execution) => Promise.all([swallow(execution, 'c'), swallow(execution, 'b')]),
      [{ ...settled('elicit-1', 'c'), outcome: undefined }, settled('elicit-2', 'a')],
    );
    await expect(played).rejects.toBeInstanceOf(LedgerMismatchException);
  });
});
