import {
  ForgottenAwaitException,
  InvalidDetachException,
  InvalidStepException,
  OutsideHandlerException,
  RequestStateRejectedException,
} from '../exceptions/index.js';
import { InProcessConversationGuard } from './in-process-conversation.guard.js';
import { KeyRing } from './key-ring.js';
import type { LedgerEntry } from './ledger.js';
import type { ReplayEvent } from './mcp-observer.js';
import { readAnswer } from './read-answer.js';
import type { CallOutcome } from './replay-carrier.js';
import { RequestStateCodec } from './request-state.codec.js';
import { type RoundDeparture, STAYING } from './round-departure.js';
import type { Round } from './round-player.js';
import { plainAsk, replayCall, wireEngine } from './round.fixture.js';

const codec = new RequestStateCodec(KeyRing.ephemeral(), 'bank');
const LEAVING: RoundDeparture = { ...STAYING, detach: 'leave' };

function play(
  handler: (round: Round) => Promise<unknown>,
  departure?: RoundDeparture,
): Promise<CallOutcome<unknown>> {
  return wireEngine(codec).play(replayCall({ departure }), handler);
}

function keysOf(outcome: CallOutcome<unknown>): readonly string[] {
  if (outcome.type !== 'detached') throw new Error(outcome.type);
  return outcome.conversation.ledger.entries.map(({ key }) => key);
}

describe('detach()', () => {
  it('ends the round with what is recorded, of steps under way too', async () => {
    const after: string[] = [];
    const outcome = await play(async ({ execution }) => {
      await execution.step('done', () => 1);
      const slow = execution.step('slow', () => new Promise((resolve) => setImmediate(resolve)));
      await Promise.all([slow, execution.detach()]);
      after.push('never');
    }, LEAVING);
    expect(keysOf(outcome)).toEqual(['step/done', 'step/slow']);
    expect(after).toEqual([]);
  });

  it('takes an open question along, and cannot be swallowed', async () => {
    const outcome = await play(async ({ execution }) => {
      await Promise.all([execution.ask(() => plainAsk('a')), execution.detach()]).catch(
        () => undefined,
      );
      return 'swallowed';
    }, LEAVING);
    expect(keysOf(outcome)).toHaveLength(1);
  });

  it('silences what the handler says, which is said where it goes on', async () => {
    const muted: boolean[] = [];
    await play(async ({ execution }) => {
      muted.push(execution.muted);
      const left = execution.detach();
      muted.push(execution.muted);
      await left;
    }, LEAVING);
    expect(muted).toEqual([false, true]);
  });

  it('goes on where the call has left, or need not', async () => {
    const handler = async ({ execution }: Round): Promise<string> => {
      await execution.detach();
      return 'on';
    };
    expect(await play(handler, STAYING)).toEqual({ type: 'completed', value: 'on' });
  });

  it('is refused where nothing takes the call on', async () => {
    const detached = play(({ execution }) => execution.detach());
    await expect(detached).rejects.toThrow(InvalidDetachException);
  });

  it('is refused within a step, and after the handler', async () => {
    const within = play(({ execution }) => execution.step('s', () => execution.detach()), LEAVING);
    await expect(within).rejects.toThrow(InvalidStepException);
    const rounds: Round[] = [];
    await play(async (round) => void rounds.push(round), LEAVING);
    await expect(rounds[0]?.execution.detach()).rejects.toThrow(OutsideHandlerException);
  });

  it('must be awaited', async () => {
    const forgotten = play(async ({ execution }) => void execution.detach(), LEAVING);
    await expect(forgotten).rejects.toThrow(ForgottenAwaitException);
    await expect(forgotten).rejects.toThrow('"detach()"');
  });

  it('is told to the observer', async () => {
    const events: ReplayEvent[] = [];
    const observer = { observe: (event: ReplayEvent) => void events.push(event) };
    const engine = wireEngine(codec, {}, { observer });
    await engine.play(replayCall({ departure: LEAVING }), ({ execution }) => execution.detach());
    expect(events.map(({ type }) => type)).toEqual(['round.started', 'round.detached']);
  });
});

describe('a call that has left its request', () => {
  it('seals nothing, and has kept elsewhere what it records', async () => {
    const saved: LedgerEntry[][] = [];
    const begun: string[] = [];
    const departure: RoundDeparture = {
      detach: 'stay',
      left: true,
      begun: ({ conversationId }) => void begun.push(conversationId),
      save: async (entries) => void saved.push([...entries]),
    };
    const outcome = await play(async ({ execution }) => {
      await execution.step('paid', () => 1);
      await execution.ask(() => plainAsk('a'));
    }, departure);
    if (outcome.type !== 'suspended') throw new Error(outcome.type);
    expect(Object.keys(outcome.result).sort()).toEqual(['inputRequests', 'resultType']);
    expect(saved.map((entries) => entries.map(({ key }) => key))).toEqual([['step/paid']]);
    expect(begun).toHaveLength(1);
  });

  it('keeps nothing while it has not', async () => {
    let conversation = '';
    await play(async (round) => void (conversation = round.conversationId), STAYING);
    expect(conversation).not.toBe('');
    expect(STAYING.save([])).toBeUndefined();
  });

  it('answers no duplicate with its questions: it was answered before', async () => {
    const guard = new InProcessConversationGuard(Date.now);
    const engine = wireEngine(codec, {}, { guard });
    const handler = async ({ execution }: Round): Promise<void> => {
      await execution.ask(() => plainAsk('a'));
      await execution.ask(() => plainAsk('b'));
    };
    const replay = { once: true };
    const first = await engine.play(replayCall({ replay }), handler);
    if (first.type !== 'suspended') throw new Error(first.type);
    const { requestState } = first.result as { requestState?: string };
    const [key = ''] = Object.keys(first.result.inputRequests);
    const inputResponses = { [key]: { action: 'accept', content: {} } };
    const retry = { replay, requestState, inputResponses };
    const left = { ...STAYING, left: true };
    await engine.play(replayCall({ ...retry, departure: left }), handler);
    const duplicate = engine.play(replayCall(retry), handler);
    await expect(duplicate).rejects.toThrow(RequestStateRejectedException);
  });
});

describe('readAnswer()', () => {
  it.each([
    ['elicitation/create', { action: 'decline' }, { action: 'decline' }],
    [
      'sampling/createMessage',
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } },
      { role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } },
    ],
    ['roots/list', { roots: [] }, { roots: [] }],
  ])('takes what answers %s', (method, answer, read) => {
    expect(readAnswer({ method, params: {} } as never, 'key', answer)).toEqual(read);
    expect(() => readAnswer({ method, params: {} } as never, 'key', 5)).toThrow(
      RequestStateRejectedException,
    );
  });
});
