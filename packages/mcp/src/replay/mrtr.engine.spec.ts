import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  LedgerMismatchException,
  RequestStateRejectedException,
  StateTooLargeException,
} from '../exceptions/index.js';
import type { InputRequiredResult, JsonValue } from '../protocol/index.js';
import type { Ask } from './ask.js';
import { fingerprint } from './fingerprint.js';
import { KeyRing } from './key-ring.js';
import type { MrtrEngine } from './mrtr.engine.js';
import type { CallOutcome } from './replay-carrier.js';
import type { ReplayCall, Round } from './round-player.js';
import type { McpObserver, ReplayEvent, RoundEnd } from './mcp-observer.js';
import { RequestStateCodec } from './request-state.codec.js';
import { CLOCK_SKEW_MS, type ReplayLimits } from './replay-limits.js';
import { REPLAY_LIMITS, wireEngine } from './round.fixture.js';

const LIMITS = REPLAY_LIMITS;

const codec = new RequestStateCodec(KeyRing.fromSecret(randomBytes(32).toString('base64')), 'bank');
const clock = { now: 50_000 };

function engine(limits: Partial<ReplayLimits> = {}): MrtrEngine {
  return wireEngine(codec, limits, {
    now: () => clock.now,
  });
}

function call(rest: Partial<ReplayCall> & { args?: JsonValue } = {}): ReplayCall {
  const { args = { amount: 1 }, ...others } = rest;
  return {
    handlerName: 'transfer',
    method: 'tools/call',
    target: 'transfer',
    principal: null,
    inputResponses: undefined,
    requestState: undefined,
    signal: new AbortController().signal,
    replay: {},
    argumentsDigest: () => fingerprint(args),
    ...others,
  };
}

const ask =
  (text: string, key?: string): (() => Ask<unknown>) =>
  () => ({
    kind: 'elicit',
    ...(key !== undefined && { key }),
    label: text,
    fingerprint: text,
    request: {
      method: 'elicitation/create',
      params: { message: text, requestedSchema: { type: 'object', properties: {} } },
    },
    restate: () => {
      throw new Error('not in this spec');
    },
    judge: (answer) => ({ accepted: true, outcome: answer }),
    revive: (outcome) => outcome,
  });

const twoQuestions = async ({ execution, round }: Round): Promise<unknown> => [
  await execution.ask(ask('a')),
  await execution.ask(ask('b')),
  round,
];

const yes = { action: 'accept', content: {} };

function suspended(outcome: CallOutcome<unknown>): InputRequiredResult {
  if (outcome.type !== 'suspended') throw new Error(`expected a suspension, got ${outcome.type}`);
  return outcome.result as InputRequiredResult;
}

/** A token of a first round that asked `a`. */
async function firstToken(rest: Partial<ReplayCall> = {}): Promise<string> {
  return suspended(await engine().play(call(rest), twoQuestions)).requestState;
}

async function rejection(
  of: MrtrEngine,
  retry: ReplayCall,
): Promise<RequestStateRejectedException> {
  let ran = false;
  const error: unknown = await of
    .play(retry, async () => {
      ran = true;
    })
    .catch((caught: unknown) => caught);
  expect(ran).toBe(false);
  expect(error).toBeInstanceOf(RequestStateRejectedException);
  return error as RequestStateRejectedException;
}

beforeEach(() => {
  clock.now = 50_000;
});

/** The same request, sent once more. */
function again({ attempt: _, ...request }: ReplayCall): ReplayCall {
  return request;
}

describe('MrtrEngine', () => {
  it('completes a handler that asks nothing, without a token', async () => {
    expect(await engine().play(call(), async () => 'done')).toEqual({
      type: 'completed',
      value: 'done',
    });
  });

  it('plays two questions in three rounds', async () => {
    const first = suspended(await engine().play(call(), twoQuestions));
    expect(Object.keys(first.inputRequests)).toEqual(['elicit-1']);
    expect(first.resultType).toBe('input_required');

    const second = suspended(
      await engine().play(
        call({ requestState: first.requestState, inputResponses: { 'elicit-1': yes } }),
        twoQuestions,
      ),
    );
    expect(Object.keys(second.inputRequests)).toEqual(['elicit-2']);

    const third = await engine().play(
      call({ requestState: second.requestState, inputResponses: { 'elicit-2': yes } }),
      twoQuestions,
    );
    expect(third).toEqual({ type: 'completed', value: [yes, yes, 3] });
  });

  it('keeps one conversation id and counts rounds from 1', async () => {
    const seen: Pick<Round, 'conversationId' | 'round'>[] = [];
    const handler = async (round: Round): Promise<unknown> => {
      seen.push(round);
      return round.execution.ask(ask('a'));
    };
    const { requestState } = suspended(await engine().play(call(), handler));
    await engine().play(call({ requestState }), handler);
    await engine().play(call(), handler);
    expect(seen.map(({ round }) => round)).toEqual([1, 2, 1]);
    expect(seen[1]?.conversationId).toBe(seen[0]?.conversationId);
    expect(seen[2]?.conversationId).not.toBe(seen[0]?.conversationId);
  });

  it('asks again, with a new token, when a retry brings no answer', async () => {
    const requestState = await firstToken();
    const again = suspended(await engine().play(call({ requestState }), twoQuestions));
    expect(Object.keys(again.inputRequests)).toEqual(['elicit-1']);
    expect(again.requestState).not.toBe(requestState);
  });

  it('seals what the conversation is bound to', async () => {
    const token = await firstToken({ principal: 'ada' });
    expect(codec.open(token)).toEqual({
      conversationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      round: 1,
      startedAt: 50_000,
      issuedAt: 50_000,
      principal: 'ada',
      method: 'tools/call',
      target: 'transfer',
      argumentsDigest: fingerprint({ amount: 1 }),
      entries: [{ key: 'elicit-1', kind: 'elicit', fingerprint: 'a', label: 'a' }],
    });
  });

  it('takes answers without state for named questions, when lenient', async () => {
    const handler = ({ execution }: Round): Promise<unknown> => execution.ask(ask('a', 'name'));
    const outcome = await engine({ answers: 'lenient' }).play(
      call({ inputResponses: { name: yes, other: yes } }),
      handler,
    );
    expect(outcome).toEqual({ type: 'completed', value: yes });
  });

  describe('refuses to play, without running the handler,', () => {
    it('answers without state', async () => {
      const { reason } = await rejection(engine(), call({ inputResponses: { 'elicit-1': yes } }));
      expect(reason).toBe('answers_without_state');
    });

    it.each([[null], [42], [{}], [['x']]])('a state that is %j', async (requestState) => {
      expect((await rejection(engine(), call({ requestState }))).reason).toBe('state_malformed');
    });

    it('a state that is longer than it may be, unread', async () => {
      const requestState = await firstToken();
      const { reason, message } = await rejection(
        engine({ maxStateBytes: requestState.length - 1 }),
        call({ requestState }),
      );
      expect(reason).toBe('state_malformed');
      expect(message).toContain(`at most ${requestState.length - 1} characters`);
    });

    it('a state that was tampered with', async () => {
      const requestState = `${(await firstToken()).slice(0, -2)}AA`;
      expect((await rejection(engine(), call({ requestState }))).reason).toBe('state_tampered');
    });

    it.each<[string, Partial<ReplayCall> & { args?: JsonValue }, string]>([
      ['another principal', { principal: 'eve' }, 'principal_mismatch'],
      ['nobody', { principal: null }, 'principal_mismatch'],
      ['another method', { method: 'prompts/get' }, 'method_mismatch'],
      ['another target', { target: 'refund' }, 'target_mismatch'],
      ['other arguments', { args: { amount: 1000 } }, 'arguments_mismatch'],
      ['no arguments', { args: {} }, 'arguments_mismatch'],
    ])('the state of one call for %s', async (_, other, reason) => {
      const requestState = await firstToken({ principal: 'ada' });
      const refused = await rejection(engine(), call({ principal: 'ada', ...other, requestState }));
      expect(refused.reason).toBe(reason);
      expect(refused.data).toEqual({ reason });
      expect(refused.message).toMatch(/Start the call anew|[Rr]etry/);
    });

    it('arguments in another order are the same arguments', async () => {
      const requestState = suspended(
        await engine().play(call({ args: { a: 1, b: 2 } }), twoQuestions),
      ).requestState;
      const outcome = await engine().play(
        call({ args: { b: 2, a: 1 }, requestState }),
        twoQuestions,
      );
      expect(outcome.type).toBe('suspended');
    });

    it.each([
      ['answer_unknown', { 'elicit-2': yes }],
      ['answer_malformed', { 'elicit-1': 5 }],
      ['answer_wrong_kind', { 'elicit-1': { roots: [] } }],
    ])('answers that are wrong: %s', async (reason, inputResponses) => {
      const requestState = await firstToken();
      expect((await rejection(engine(), call({ requestState, inputResponses }))).reason).toBe(
        reason,
      );
    });

    it('an answer that was given before', async () => {
      const first = await firstToken();
      const second = suspended(
        await engine().play(
          call({ requestState: first, inputResponses: { 'elicit-1': yes } }),
          twoQuestions,
        ),
      );
      const retry = call({
        requestState: second.requestState,
        inputResponses: { 'elicit-1': yes },
      });
      expect((await rejection(engine(), retry)).reason).toBe('answer_repeated');
    });

    it('the principal before the answers', async () => {
      const requestState = await firstToken({ principal: 'ada' });
      const retry = call({ principal: 'eve', requestState, inputResponses: { unknown: 5 } });
      expect((await rejection(engine(), retry)).reason).toBe('principal_mismatch');
    });
  });

  describe('limits', () => {
    it('an answer may come until the very end of its time', async () => {
      const requestState = await firstToken();
      clock.now += LIMITS.ttlMs;
      expect((await engine().play(call({ requestState }), twoQuestions)).type).toBe('suspended');
      clock.now += 1;
      expect((await rejection(engine(), call({ requestState }))).reason).toBe('state_expired');
    });

    it('every round starts the time anew', async () => {
      let requestState = await firstToken();
      for (let round = 2; round <= 4; round += 1) {
        clock.now += LIMITS.ttlMs;
        requestState = suspended(
          await engine().play(call({ requestState }), twoQuestions),
        ).requestState;
      }
      expect(codec.open(requestState)).toMatchObject({ round: 4, startedAt: 50_000 });
    });

    it('a conversation ends with its age, however fresh its token', async () => {
      const limits = { ttlMs: 100_000 };
      const requestState = await firstToken();
      clock.now += LIMITS.maxAgeMs;
      expect((await engine(limits).play(call({ requestState }), twoQuestions)).type).toBe(
        'suspended',
      );
      clock.now += 1;
      expect((await rejection(engine(limits), call({ requestState }))).reason).toBe(
        'conversation_expired',
      );
    });

    it('a conversation ends with its rounds', async () => {
      let requestState = await firstToken();
      for (let round = 2; round <= LIMITS.maxRounds; round += 1) {
        requestState = suspended(
          await engine().play(call({ requestState }), twoQuestions),
        ).requestState;
      }
      const { reason, message } = await rejection(engine(), call({ requestState }));
      expect(reason).toBe('too_many_rounds');
      expect(message).toContain('has had 5 rounds');
    });

    it('a token from the future is refused, but for a difference of clocks', async () => {
      clock.now += CLOCK_SKEW_MS;
      const requestState = await firstToken();
      clock.now -= CLOCK_SKEW_MS;
      expect((await engine().play(call({ requestState }), twoQuestions)).type).toBe('suspended');
      clock.now -= 1;
      const { reason, message } = await rejection(engine(), call({ requestState }));
      expect(reason).toBe('state_expired');
      expect(message).toContain('in the future');
    });

    it('a token that would be too large is not sent; the heaviest entry is named', async () => {
      const long = { action: 'accept', content: { text: 'x'.repeat(300) } };
      const three = ({ execution }: Round): Promise<unknown> =>
        Promise.all(['short', 'long', 'open'].map((text) => execution.ask(ask(text))));
      const { requestState } = suspended(await engine().play(call(), three));
      const played = engine({ maxStateBytes: requestState.length }).play(
        call({ requestState, inputResponses: { 'elicit-1': yes, 'elicit-2': long } }),
        three,
      );
      await expect(played).rejects.toBeInstanceOf(StateTooLargeException);
      await expect(played).rejects.toMatchObject({
        data: {
          maxStateBytes: requestState.length,
          heaviest: { key: 'elicit-2', bytes: expect.any(Number) as number },
        },
      });
      await expect(played).rejects.toThrow(/heaviest entry is "elicit-2"/);
    });
  });

  it('passes on the error of a handler', async () => {
    const played = engine().play(call(), async () => Promise.reject(new Error('a bug')));
    await expect(played).rejects.toThrow('a bug');
  });
});

describe('A handler that has changed under way', () => {
  const before = async ({ execution }: Round): Promise<unknown> => [
    execution.draw('now()', (records) => records.now()),
    await execution.ask(ask('a')),
    await execution.ask(ask('b')),
  ];
  const after = async ({ execution }: Round): Promise<unknown> => [
    await execution.ask(ask('c')),
    await execution.ask(ask('b')),
  ];
  /** A token of a first round of the handler as it was, and its answer. */
  const retry = async (rest: Partial<ReplayCall> = {}): Promise<ReplayCall> => {
    const { requestState } = suspended(await engine().play(call(), before));
    return call({ requestState, inputResponses: { 'elicit-1': yes }, ...rest });
  };
  const restart = { onMismatch: 'restart' } as const;

  it('is refused, unless it may start again', async () => {
    const refused = engine().play(await retry(), after);
    await expect(refused).rejects.toBeInstanceOf(LedgerMismatchException);
    const overruled = engine(restart).play(
      await retry({ replay: { onMismatch: 'reject' } }),
      after,
    );
    await expect(overruled).rejects.toBeInstanceOf(LedgerMismatchException);
  });

  it.each<[string, Partial<ReplayLimits>, Partial<ReplayCall>]>([
    ['every handler', restart, {}],
    ['this one', {}, { replay: restart }],
  ])('starts again when %s may, as the same conversation', async (_, limits, rest) => {
    const first = await retry(rest);
    const { conversationId, startedAt } = codec.open(first.requestState as string);
    clock.now += 10;
    const second = suspended(await engine(limits).play(first, after));
    expect(Object.keys(second.inputRequests)).toEqual(['elicit-1']);
    expect(codec.open(second.requestState)).toMatchObject({
      conversationId,
      startedAt,
      round: 2,
      entries: [{ key: 'elicit-1', label: 'c' }],
    });
    const third = suspended(
      await engine(limits).play(
        call({ ...rest, requestState: second.requestState, inputResponses: { 'elicit-1': yes } }),
        after,
      ),
    );
    expect(Object.keys(third.inputRequests)).toEqual(['elicit-2']);
  });

  it('starts again when it has lost the version that is recorded', async () => {
    const versioned =
      (oldest: number, newest: number) =>
      async ({ execution }: Round): Promise<unknown> => [
        execution.draw('v', (records) => records.version('v', oldest, newest)),
        await execution.ask(ask('a')),
      ];
    const { requestState } = suspended(await engine().play(call(), versioned(1, 1)));
    const again = suspended(await engine(restart).play(call({ requestState }), versioned(2, 3)));
    expect(codec.open(again.requestState).entries[0]).toEqual({
      key: 'version/v',
      kind: 'version',
      outcome: 3,
    });
  });

  it.each<[string, (round: Round) => Promise<unknown>, (round: Round) => Promise<unknown>]>([
    [
      'in an earlier round',
      async ({ execution }) => {
        await execution.step('charge', () => 1);
        return before({ execution } as Round);
      },
      after,
    ],
    [
      'in this one',
      before,
      async ({ execution }) => {
        await execution.step('charge', () => 1);
        return after({ execution } as Round);
      },
    ],
  ])('does not start again once a step is done %s', async (_, old, changed) => {
    const { requestState } = suspended(await engine().play(call(), old));
    const played = engine(restart).play(call({ requestState }), changed);
    await expect(played).rejects.toBeInstanceOf(LedgerMismatchException);
  });

  it('is told of in the log when it has not come to what it had asked', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { requestState } = suspended(await engine().play(call(), before));
    const outcome = await engine().play(call({ requestState }), async () => 'nothing asked');
    expect(outcome).toEqual({ type: 'completed', value: 'nothing asked' });
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^"transfer" ended without coming to "now\/1", "elicit-1", which earlier rounds had: /,
        ),
      ],
    ]);
    warn.mockRestore();
  });
});

describe('A call that an interceptor tries again', () => {
  const done: string[] = [];
  const charge = ({ execution }: Round): Promise<unknown> =>
    execution.step('charge', ({ idempotencyKey }) => void done.push(idempotencyKey));

  beforeEach(() => {
    done.length = 0;
  });

  it('does no step again, and is another conversation than the next call', async () => {
    const of = engine();
    const failing = async (round: Round): Promise<never> => {
      await charge(round);
      throw new Error('flaky');
    };
    for (const one of [call(), call()]) {
      await expect(of.play(one, failing)).rejects.toThrow('flaky');
      await expect(of.play(one, failing)).rejects.toThrow('flaky');
    }
    expect(done).toHaveLength(2);
    expect(new Set(done).size).toBe(2);
  });

  it('has the answers it came with', async () => {
    let failures = 1;
    const flaky = async ({ execution, conversationId }: Round): Promise<unknown> => {
      const answer = await execution.ask(ask('a'));
      if (failures-- > 0) throw new Error('flaky');
      return { answer, conversationId };
    };
    const requestState = await firstToken();
    const retry = call({ requestState, inputResponses: { 'elicit-1': yes } });
    const of = engine();
    await expect(of.play(retry, flaky)).rejects.toThrow('flaky');
    expect(await of.play(retry, flaky)).toEqual({
      type: 'completed',
      value: { answer: yes, conversationId: codec.open(requestState).conversationId },
    });
  });

  it('has the round it has claimed, and its duplicates have not', async () => {
    const of = engine();
    const retry = call({ requestState: await firstToken(), replay: { once: true } });
    const failing = (): Promise<never> => Promise.reject(new Error('flaky'));
    await expect(of.play(retry, failing)).rejects.toThrow('flaky');
    expect(await of.play(retry, async () => 'done')).toEqual({ type: 'completed', value: 'done' });
    expect((await rejection(of, again(retry))).reason).toBe('state_consumed');
  });

  it('goes on from where its handler has started again', async () => {
    const changed = (round: Round): Promise<unknown> =>
      Promise.all([round.execution.ask(ask('changed')), charge(round)]);
    const of = engine({ onMismatch: 'restart' });
    const retry = call({ requestState: await firstToken() });
    void suspended(await of.play(retry, changed));
    void suspended(await of.play(retry, changed));
    expect(done).toHaveLength(1);
  });
});

describe('A handler with a time of its own', () => {
  it('waits as long for its answers', async () => {
    const requestState = await firstToken();
    clock.now += 5_000;
    const patient = call({ requestState, replay: { ttlMs: 5_000 } });
    expect((await engine().play(patient, twoQuestions)).type).toBe('suspended');
    clock.now += 1;
    const error = await rejection(engine(), again(patient));
    expect(error.reason).toBe('state_expired');
    expect(error.message).toContain('within 5000 ms');
    const hurried = call({ requestState: await firstToken(), replay: { ttlMs: 10 } });
    clock.now += 11;
    expect((await rejection(engine(), hurried)).reason).toBe('state_expired');
  });
});

describe('The observer', () => {
  const events: ReplayEvent[] = [];
  const observed = (limits: Partial<ReplayLimits> = {}, observer?: McpObserver): MrtrEngine =>
    wireEngine(codec, limits, {
      now: () => clock.now,
      observer: observer ?? { observe: (event) => void events.push(event) },
    });
  const facts = { handler: 'transfer', method: 'tools/call' };
  const end = {
    durationMs: expect.any(Number) as number,
    replayedMs: expect.any(Number) as number,
  };
  const byType = (): string[] => events.map(({ type }) => type);

  beforeEach(() => {
    events.length = 0;
  });

  it('hears of every round, from its start to its end', async () => {
    const first = suspended(await observed().play(call(), twoQuestions));
    const { conversationId } = codec.open(first.requestState);
    const stateBytes = first.requestState.length;
    const known = { ...facts, conversationId };
    expect(events).toEqual([
      { type: 'round.started', ...known, round: 1, stateBytes: 0 },
      {
        type: 'round.suspended',
        ...known,
        ...end,
        round: 1,
        entries: 1,
        questions: ['elicit-1'],
        stateBytes,
      },
    ]);
    expect((events[1] as RoundEnd).replayedMs).toBeGreaterThanOrEqual(0);
    events.length = 0;
    const retry = call({ requestState: first.requestState, inputResponses: { 'elicit-1': yes } });
    await observed().play(retry, async ({ execution }) => execution.ask(ask('a')));
    expect(events).toEqual([
      { type: 'round.started', ...known, round: 2, stateBytes },
      { type: 'round.completed', ...known, ...end, round: 2, entries: 1, leftover: [] },
    ]);
    const { replayedMs, durationMs } = events[1] as RoundEnd;
    expect(replayedMs).toBeLessThanOrEqual(durationMs);
  });

  it('hears what was not come to, which is all the time there was', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const requestState = await firstToken();
    await observed().play(call({ requestState }), async () => 'nothing');
    expect(events[1]).toMatchObject({ type: 'round.completed', leftover: ['elicit-1'] });
    const { replayedMs } = events[1] as RoundEnd;
    expect(replayedMs).toBeGreaterThanOrEqual(0);
    warn.mockRestore();
  });

  it('hears of failures', async () => {
    const error = new Error('a bug');
    await observed()
      .play(call(), () => Promise.reject(error))
      .catch(() => undefined);
    expect(events[1]).toEqual({
      type: 'round.failed',
      ...facts,
      ...end,
      conversationId: expect.any(String) as string,
      round: 1,
      entries: 0,
      error,
    });
  });

  it('hears of refusals, with the conversation where it is known', async () => {
    await rejection(observed(), call({ requestState: 'nonsense' }));
    expect(events).toEqual([{ type: 'round.rejected', ...facts, reason: 'state_malformed' }]);
    events.length = 0;
    await rejection(observed(), call({ inputResponses: { a: yes } }));
    expect(events).toEqual([{ type: 'round.rejected', ...facts, reason: 'answers_without_state' }]);
  });

  it('hears of handlers that have changed, and of what becomes of them', async () => {
    const other = async ({ execution }: Round): Promise<unknown> => execution.ask(ask('other'));
    const requestState = await firstToken();
    await observed()
      .play(call({ requestState }), other)
      .catch(() => undefined);
    expect(byType()).toEqual(['round.started', 'round.mismatched', 'round.rejected']);
    expect(events[1]).toMatchObject({ key: 'elicit-1', round: 2, entries: 1 });
    expect(events[2]).toMatchObject({
      reason: 'ledger_mismatch',
      round: 2,
      conversationId: codec.open(requestState).conversationId,
    });
    events.length = 0;
    await observed({ onMismatch: 'restart' }).play(call({ requestState }), other);
    expect(byType()).toEqual(['round.started', 'round.mismatched', 'round.suspended']);
  });

  it.each<[string, McpObserver['observe']]>([
    [
      'throws',
      () => {
        throw new Error('no collector');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no collector'))],
  ])('changes nothing when it %s', async (_, observe) => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const broken = observed({}, { observe });
    expect(await broken.play(call(), async () => 'done')).toEqual({
      type: 'completed',
      value: 'done',
    });
    const failure = expect.objectContaining({ message: 'no collector' }) as Error;
    expect(logged.mock.calls).toEqual([[failure], [failure]]);
    logged.mockRestore();
  });

  it('is not waited for', async () => {
    const busy = observed({}, { observe: () => new Promise<void>(() => undefined) });
    expect(await busy.play(call(), async () => 'done')).toMatchObject({ value: 'done' });
  });
});

describe('A round that is played once', () => {
  it('may bring no answers: its duplicate gets the same questions', async () => {
    const of = engine();
    const retry = call({ requestState: await firstToken(), replay: { once: true } });
    const first = suspended(await of.play(retry, twoQuestions));
    expect(await of.play(again(retry), twoQuestions)).toEqual({
      type: 'repeated',
      answer: { result: first },
    });
  });
});

describe('A round that is played once and ends with an error', () => {
  const failing =
    (error: Error) =>
    ({ claim }: Round): Promise<unknown> =>
      claim?.answer(() => Promise.reject(error)) ?? Promise.resolve();

  it.each<[string, Error, object]>([
    [
      'of the protocol has its duplicates answered with it',
      new StateTooLargeException('transfer', 5, 4, { key: 'a', bytes: 5 }),
      { type: 'repeated', answer: { error: { code: -32603, httpStatus: 500 } } },
    ],
    ['of another kind keeps it to itself', new Error('a bug'), { reason: 'state_consumed' }],
  ])('%s', async (_, error, expected) => {
    const of = engine();
    const retry = call({ requestState: await firstToken(), replay: { once: true } });
    await expect(of.play(retry, failing(error))).rejects.toBe(error);
    const second: unknown = await of
      .play(again(retry), failing(error))
      .catch((caught: unknown) => caught);
    expect(second).toMatchObject(expected);
  });
});

describe('A fault of the engine itself', () => {
  it('is passed on as it is, and is no refusal', async () => {
    const events: string[] = [];
    const broken = {
      open: () => {
        throw new Error('out of memory');
      },
    } as unknown as RequestStateCodec;
    const of = wireEngine(
      broken,
      {},
      {
        observer: { observe: ({ type }) => void events.push(type) },
      },
    );
    await expect(of.play(call({ requestState: 'x' }), twoQuestions)).rejects.toThrow(
      'out of memory',
    );
    expect(events).toEqual([]);
  });
});

describe('MrtrEngine with the real clock', () => {
  it('issues tokens of now', async () => {
    const real = wireEngine(codec);
    const before = Date.now();
    const { requestState } = suspended(await real.play(call(), twoQuestions));
    const { issuedAt } = codec.open(requestState);
    expect(issuedAt).toBeGreaterThanOrEqual(before);
    expect(issuedAt).toBeLessThanOrEqual(Date.now());
  });
});
