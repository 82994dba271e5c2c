import { setImmediate as turn } from 'node:timers/promises';
import {
  ForgottenAwaitException,
  InvalidDetachException,
  InvalidStepException,
  LedgerMismatchException,
  OutsideHandlerException,
  RequestStateRejectedException,
} from '../exceptions/index.js';
import type { JsonValue, Suspension } from '../protocol/index.js';
import type { Conversation } from './conversation.js';
import { ReplayExecution } from './execution.js';
import { InProcessConversationGuard } from './in-process-conversation.guard.js';
import { KeyRing } from './key-ring.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { ReplayEvent } from './mcp-observer.js';
import { readAnswer } from './read-answer.js';
import type { CallOutcome } from './replay-carrier.js';
import { ReplayExecutor, type RoundOutcome } from './replay-executor.js';
import { RequestStateCodec } from './request-state.codec.js';
import { plainAsk, replayCall, roundSetup, wireEngine } from './round.fixture.js';
import { type RoundDeparture, STAYING } from './round-departure.js';
import type { Round } from './round-player.js';
import { isSuspension } from './suspension.js';

const YES = { action: 'accept', content: {} };
const codec = new RequestStateCodec(KeyRing.ephemeral(), 'bank');

type Policy = 'leave' | 'stay' | undefined;
type Handler = (execution: ReplayExecution) => Promise<unknown>;

function round(policy: Policy): { execution: ReplayExecution; ledger: Ledger } {
  const ledger = new Ledger();
  const execution = new ReplayExecution(roundSetup({ ledger, detach: () => policy }));
  return { execution, ledger };
}

/** Plays a handler to its end, and keeps what it recorded. */
async function played(
  policy: Policy,
  handler: Handler,
): Promise<{ outcome: RoundOutcome<unknown>; keys: readonly string[] }> {
  const { execution, ledger } = round(policy);
  const outcome = await new ReplayExecutor().execute(execution, () => handler(execution));
  return { outcome, keys: [...ledger.keys] };
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('A handler that detaches', () => {
  it('ends there, and nothing after it runs', async () => {
    let wentOn = false;
    const { outcome } = await played('leave', async (execution) => {
      await execution.detach();
      wentOn = true;
    });
    expect(outcome).toEqual({ type: 'detached' });
    expect(wentOn).toBe(false);
  });

  it('has its steps in flight awaited and recorded', async () => {
    let finish!: (value: string) => void;
    const slow = new Promise<string>((resolve) => (finish = resolve));
    const { outcome, keys } = await played('leave', async (execution) => {
      await execution.step('before', () => 'done');
      const step = execution.step('slow', () => slow);
      try {
        await Promise.all([step, execution.detach()]);
      } finally {
        finish('late');
      }
    });
    expect(outcome).toEqual({ type: 'detached' });
    expect(keys).toEqual(['step/before', 'step/slow']);
  });

  it.each<[string, Handler]>([
    [
      'asked before',
      (execution) => Promise.all([execution.ask(() => plainAsk('a')), execution.detach()]),
    ],
    [
      'asked after',
      (execution) => Promise.all([execution.detach(), execution.ask(() => plainAsk('a'))]),
    ],
  ])('is detached whatever is %s', async (_, handler) => {
    const { outcome, keys } = await played('leave', handler);
    expect(outcome).toEqual({ type: 'detached' });
    expect(keys).toEqual(['elicit-1']);
  });

  it('is detached once, however often it says so', async () => {
    const { outcome } = await played('leave', (execution) =>
      Promise.all([execution.detach(), execution.detach()]),
    );
    expect(outcome).toEqual({ type: 'detached' });
  });

  it.each<[string, (execution: ReplayExecution) => Promise<unknown>]>([
    ['returns a value', async () => 'done'],
    ['throws another error', async () => Promise.reject(new Error('unrelated'))],
    ['asks', (execution) => execution.ask(() => plainAsk('a'))],
  ])('is detached when it swallows the signal and %s', async (_, next) => {
    const { outcome, keys } = await played('leave', async (execution) => {
      expect(isSuspension(await failureOf(execution.detach()))).toBe(true);
      return next(execution);
    });
    expect(outcome).toEqual({ type: 'detached' });
    expect(keys).toEqual([]);
  });

  it('is refused when it does not wait for that', async () => {
    const error = await failureOf(
      played('leave', async (execution) => {
        void execution.detach();
        return 'done';
      }),
    );
    expect(error).toBeInstanceOf(ForgottenAwaitException);
    expect(error).toMatchObject({ key: 'detach()' });
  });

  it('is heard no more from there on', async () => {
    const { execution } = round('leave');
    expect(execution.muted).toBe(false);
    const left = failureOf(execution.detach());
    expect(execution.muted).toBe(true);
    expect(isSuspension(await left)).toBe(true);
  });

  it('goes on where it has left already', async () => {
    const { outcome, keys } = await played('stay', async (execution) => {
      await execution.detach();
      expect(execution).toMatchObject({ detached: false, muted: false });
      return execution.step('after', () => 'done');
    });
    expect(outcome).toEqual({ type: 'completed', value: 'done' });
    expect(keys).toEqual(['step/after']);
  });

  it('need not be awaited where it stays', async () => {
    const { outcome } = await played('stay', async (execution) => {
      void execution.detach();
      return 'done';
    });
    expect(outcome).toEqual({ type: 'completed', value: 'done' });
  });

  it('is told of its mistake where nothing could take it on', async () => {
    const refused = played(undefined, (execution) => execution.detach());
    await expect(refused).rejects.toBeInstanceOf(InvalidDetachException);
    await expect(refused).rejects.toThrow(
      '"handler" called detach(), and is no task. Decorate the tool with @McpTask() of @dacapo/tasks, or leave detach() out.',
    );
  });

  it('is refused without a policy at all', async () => {
    const execution = new ReplayExecution(roundSetup());
    await expect(execution.detach()).rejects.toBeInstanceOf(InvalidDetachException);
  });

  it.each<Policy>(['leave', 'stay', undefined])('is refused within a step: %s', async (policy) => {
    const refused = played(policy, (execution) => execution.step('work', () => execution.detach()));
    await expect(refused).rejects.toBeInstanceOf(InvalidStepException);
    await expect(refused).rejects.toThrow('has detach() within the step "work"');
  });

  it('is refused once it has settled', async () => {
    const { execution } = round('leave');
    await execution.settle();
    const error = await failureOf(execution.detach());
    expect(error).toBeInstanceOf(OutsideHandlerException);
    expect((error as Error).message).toContain('detach()');
    expect(execution.detached).toBe(false);
  });

  it('is refused in a round that has failed, with its failure', async () => {
    const entry: LedgerEntry = { key: 'elicit-1', kind: 'elicit', fingerprint: 'a', label: 'a' };
    const execution = new ReplayExecution(roundSetup({ entries: [entry], detach: () => 'leave' }));
    const mismatch = await failureOf(execution.ask(() => plainAsk('b')));
    expect(mismatch).toBeInstanceOf(LedgerMismatchException);
    await expect(execution.detach()).rejects.toBe(mismatch);
    expect(execution.detached).toBe(false);
  });

  it('ends no process when nobody listens', async () => {
    const { execution } = round(undefined);
    void execution.detach();
    await turn();
    await turn();
    expect(execution.detached).toBe(false);
  });
});

describe('A call that may go on elsewhere', () => {
  let begun: Conversation[];
  let saved: string[][];
  let events: ReplayEvent[];

  beforeEach(() => {
    begun = [];
    saved = [];
    events = [];
  });

  const departure = (rest: Partial<RoundDeparture> = {}): RoundDeparture => ({
    detach: 'leave',
    left: false,
    begun: (conversation) => void begun.push(conversation),
    save: async (entries) => void saved.push(entries.map(({ key }) => key)),
    ...rest,
  });
  const engine = wireEngine(
    codec,
    {},
    { observer: { observe: (event) => void events.push(event) } },
  );
  const byType = (): string[] => events.map(({ type }) => type);

  const steps = async ({ execution }: Round): Promise<unknown> => {
    await execution.step('reserve', () => 'r-1');
    await execution.detach();
    return execution.step('charge', () => 'c-1');
  };

  it('leaves with its ledger, as the observer hears', async () => {
    const outcome = await engine.play(replayCall({ departure: departure() }), steps);
    if (outcome.type !== 'detached') throw new Error(outcome.type);
    const { conversation } = outcome;
    expect(conversation).toBe(begun[0]);
    expect(conversation.ledger.entries).toEqual([
      { key: 'step/reserve', kind: 'step', outcome: 'r-1' },
    ]);
    expect(byType()).toEqual(['round.started', 'round.detached']);
    expect(events[1]).toMatchObject({
      handler: 'handler',
      conversationId: conversation.conversationId,
      round: 1,
      entries: 1,
    });
  });

  it('has everything kept that it records on its way', async () => {
    await engine.play(replayCall({ departure: departure() }), steps);
    expect(saved).toEqual([['step/reserve']]);
  });

  it('stays where it is when it has left before', async () => {
    const call = replayCall({ departure: departure({ detach: 'stay' }) });
    expect(await engine.play(call, steps)).toEqual({ type: 'completed', value: 'c-1' });
    expect(saved).toEqual([['step/reserve'], ['step/reserve', 'step/charge']]);
  });

  it('is told what each attempt of it is played with', async () => {
    const call = replayCall({ departure: departure() });
    const failing = engine.play(call, async ({ execution }) => {
      await execution.step('reserve', () => 'r-1');
      throw new Error('try again');
    });
    await expect(failing).rejects.toThrow('try again');
    await engine.play(call, steps);
    expect(begun).toHaveLength(2);
    expect(begun[1]?.conversationId).toBe(begun[0]?.conversationId);
    expect([...(begun[1]?.ledger.keys ?? [])]).toEqual(['step/reserve']);
  });

  it('may be rehearsed until it leaves', async () => {
    const call = replayCall({ departure: departure(), rehearsed: true });
    expect((await engine.play(call, steps)).type).toBe('detached');
    expect(byType()).toEqual(['round.started', 'round.detached']);
  });

  it('cannot leave without a departure', async () => {
    await expect(engine.play(replayCall(), steps)).rejects.toBeInstanceOf(InvalidDetachException);
    expect(byType()).toEqual(['round.started', 'round.failed']);
  });

  const asks = ({ execution }: Round): Promise<unknown> => execution.ask(() => plainAsk('sure?'));
  const resultOf = (outcome: CallOutcome<unknown>): object => {
    if (outcome.type !== 'suspended') throw new Error(outcome.type);
    return outcome.result;
  };

  it('is sealed when it asks before it has left', async () => {
    const result = resultOf(await engine.play(replayCall({ departure: departure() }), asks));
    expect(result).toHaveProperty('requestState', expect.any(String));
  });

  it('is not sealed when it asks after it has left', async () => {
    const call = replayCall({ departure: departure({ left: true }) });
    expect(resultOf(await engine.play(call, asks))).toEqual({
      resultType: 'input_required',
      inputRequests: { 'elicit-1': plainAsk('sure?').request },
    });
    expect(events[1]).toMatchObject({
      type: 'round.suspended',
      questions: ['elicit-1'],
      stateBytes: 0,
    });
  });

  it('is sealed later, when it has asked while it was about to leave and has come back', async () => {
    const call = replayCall({ departure: departure({ left: true }) });
    const asked = resultOf(await engine.play(call, asks)) as Suspension;
    const { requestState, inputRequests } = engine.sealed(call, asked);
    expect(inputRequests).toBe(asked.inputRequests);
    const retry = replayCall({ requestState, inputResponses: { 'elicit-1': YES } });
    const { type } = await engine.play(retry, asks);
    expect(type).toBe('completed');
  });

  it('is sealed once', async () => {
    const call = replayCall({ departure: departure() });
    const asked = resultOf(await engine.play(call, asks)) as Suspension;
    expect(engine.sealed(call, asked)).toBe(asked);
  });

  it.each([
    ['not answered by the engine once it has left', true, 0],
    ['answered by the engine before it has left', false, 1],
  ])('played once, is %s', async (_, left, answers) => {
    const recorded: string[] = [];
    class Witness extends InProcessConversationGuard {
      override async record(key: string, result: string, ttlMs: number): Promise<void> {
        recorded.push(key);
        return super.record(key, result, ttlMs);
      }
    }
    const once = wireEngine(codec, {}, { guard: new Witness() });
    const both = async (played: Round): Promise<unknown> => [
      await asks(played),
      await played.execution.ask(() => plainAsk('really?')),
    ];
    const first = resultOf(await once.play(replayCall(), both)) as { requestState: string };
    const retry = replayCall({
      requestState: first.requestState,
      inputResponses: { 'elicit-1': YES },
      replay: { once: true },
      departure: departure({ left }),
    });
    const result = resultOf(await once.play(retry, both));
    expect('requestState' in result).toBe(!left);
    expect(recorded).toHaveLength(answers);
  });
});

describe('A call that need not leave', () => {
  it('stays, seals as ever and keeps nothing on its way', async () => {
    expect(STAYING).toMatchObject({ detach: 'stay', left: false });
    expect(STAYING.save([])).toBeUndefined();
    const engine = wireEngine(codec);
    const outcome = await engine.play(replayCall({ departure: STAYING }), async ({ execution }) => {
      await execution.detach();
      return execution.step('work', () => 'done');
    });
    expect(outcome).toEqual({ type: 'completed', value: 'done' });
  });
});

describe('An answer that came by itself', () => {
  const elicit = plainAsk('sure?').request;

  it.each<[string, Parameters<typeof readAnswer>[0], JsonValue]>([
    ['a form', elicit, { action: 'accept', content: { a: 1 } }],
    [
      'a sampling request',
      { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
      { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
    ],
    ['roots', { method: 'roots/list' }, { roots: [] }],
  ])('is read as that of %s', (_, question, answer) => {
    expect(readAnswer(question, 'key', answer)).toEqual(answer);
  });

  it.each<[string, Parameters<typeof readAnswer>[0], unknown, string]>([
    ['is not one of a form', elicit, { roots: [] }, 'answer_wrong_kind'],
    ['is not one of roots', { method: 'roots/list' }, YES, 'answer_wrong_kind'],
    ['is nothing of the kind', elicit, 'yes', 'answer_malformed'],
  ])('is refused when it %s', (_, question, answer, reason) => {
    let refusal: unknown;
    try {
      readAnswer(question, 'plan', answer);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(RequestStateRejectedException);
    expect(refusal).toMatchObject({ reason, data: { key: 'plan' } });
  });
});
