import { jest } from '@jest/globals';
import {
  InvalidAskException,
  LedgerMismatchException,
  OutsideHandlerException,
  RequestStateRejectedException,
  UnfitAnswerException,
} from '../exceptions/index.js';
import type { JsonValue } from '../protocol/index.js';
import type { Ask, Verdict } from './ask.js';
import { ReplayExecution } from './execution.js';
import { type AskEntry, Ledger, type LedgerEntry } from './ledger.js';
import { isSuspension } from './suspension.js';
import { roundSetup } from './round.fixture.js';

const accept = (value: string): JsonValue => ({ action: 'accept', content: { value } });

/** A question whose fingerprint is its text; any answer whose content is not `bad` fits. */
function question(text: string, options: Partial<Ask<unknown>> = {}): () => Ask<unknown> {
  const request = (message: string): Ask<unknown>['request'] => ({
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties: {} } },
  });
  return () => ({
    kind: 'elicit',
    label: text,
    fingerprint: text,
    request: request(text),
    restate: (reasons) => request(`${text} (${reasons.join(', ')})`),
    judge: (answer): Verdict =>
      JSON.stringify(answer).includes('bad')
        ? { accepted: false, reasons: ['it is bad'] }
        : { accepted: true, outcome: answer },
    revive: (outcome) => outcome,
    ...options,
  });
}

const settled = (key: string, text: string, outcome: JsonValue): AskEntry => ({
  key,
  kind: 'elicit',
  fingerprint: text,
  label: text,
  outcome,
});

const offered = (key: string, text: string, offer: JsonValue): AskEntry => ({
  key,
  kind: 'elicit',
  fingerprint: text,
  label: text,
  offer,
});

const asked = (key: string, text: string): AskEntry => ({
  key,
  kind: 'elicit',
  fingerprint: text,
  label: text,
});

function round(
  entries: LedgerEntry[] = [],
  unclaimed = new Map<string, unknown>(),
): { execution: ReplayExecution; ledger: Ledger } {
  const ledger = new Ledger(entries);
  return { execution: new ReplayExecution(roundSetup({ ledger, unclaimed })), ledger };
}

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => (isSuspension(error) ? 'suspended' : { error }),
  );

const messageOf = (execution: ReplayExecution, key: string): string | undefined =>
  (execution.pending.get(key)?.params as { message?: string } | undefined)?.message;

describe('ReplayExecution', () => {
  describe('a question without an answer', () => {
    it('is recorded as asked at once, and suspends', async () => {
      const { execution, ledger } = round();
      const answer = outcomeOf(execution.ask(question('name?')));
      expect(ledger.entries).toEqual([asked('elicit-1', 'name?')]);
      expect(messageOf(execution, 'elicit-1')).toBe('name?');
      expect(await answer).toBe('suspended');
    });

    it('waits one macrotask, so that questions asked together travel together', async () => {
      const { execution } = round();
      const first = outcomeOf(execution.ask(question('a')));
      await Promise.resolve();
      const second = outcomeOf(execution.ask(question('b')));
      expect([...execution.pending.keys()]).toEqual(['elicit-1', 'elicit-2']);
      expect(await Promise.all([first, second])).toEqual(['suspended', 'suspended']);
    });

    it('closes the round: what is asked later is not recorded', async () => {
      const { execution, ledger } = round();
      await outcomeOf(execution.ask(question('a')));
      let posed = false;
      const late = execution.ask(() => {
        posed = true;
        return question('b')();
      });
      expect(await outcomeOf(late)).toBe('suspended');
      expect(posed).toBe(false);
      expect(ledger.size).toBe(1);
      expect([...execution.pending.keys()]).toEqual(['elicit-1']);
    });

    it('rejects all waiting questions with one signal', async () => {
      const { execution } = round();
      const [a, b] = await Promise.all(
        ['a', 'b'].map((text) => execution.ask(question(text)).catch((error: unknown) => error)),
      );
      expect(a).toBe(b);
    });
  });

  describe('keys', () => {
    it('count unnamed questions and keep names', () => {
      const { execution, ledger } = round();
      for (const key of [undefined, 'plan', undefined, 'plan', 'plan']) {
        void outcomeOf(execution.ask(question('q', key === undefined ? {} : { key })));
      }
      expect(ledger.entries.map(({ key }) => key)).toEqual([
        'elicit-1',
        'plan',
        'elicit-2',
        'plan:2',
        'plan:3',
      ]);
    });

    it('do not mix a name with the counter of its kind', () => {
      const { execution, ledger } = round();
      void outcomeOf(execution.ask(question('q', { key: 'elicit' })));
      void outcomeOf(execution.ask(question('q')));
      expect(ledger.entries.map(({ key }) => key)).toEqual(['elicit', 'elicit-1']);
    });

    it.each([['elicit-1'], ['elicit-12'], ['a:2'], [''], ['with space'], ['x'.repeat(65)], ['ä']])(
      'cannot be named %j',
      async (key) => {
        const { execution, ledger } = round();
        const answer = execution.ask(question('q', { key }));
        await expect(answer).rejects.toThrow(InvalidAskException);
        await expect(answer).rejects.toThrow(/which cannot be a key\. Use 1 to 64/);
        expect(ledger.size).toBe(0);
        expect(execution.failure).toBeUndefined();
      },
    );
  });

  describe('a settled question', () => {
    it('returns its recorded outcome, revived', async () => {
      const { execution } = round([settled('elicit-1', 'a', accept('x'))]);
      const answer = execution.ask(question('a', { revive: (outcome) => [outcome] }));
      expect(await answer).toEqual([accept('x')]);
      expect(execution.pending.size).toBe(0);
    });

    it('is not judged again', async () => {
      const { execution } = round([settled('elicit-1', 'a', accept('bad'))]);
      expect(await execution.ask(question('a'))).toEqual(accept('bad'));
    });

    it('fails the question alone when it cannot be revived', async () => {
      const { execution } = round([settled('elicit-1', 'a', accept('x'))]);
      const revive = (): never => {
        throw new Error('broken');
      };
      await expect(execution.ask(question('a', { revive }))).rejects.toThrow('broken');
      expect(execution.failure).toBeUndefined();
    });
  });

  describe('an offered answer', () => {
    it('that fits is recorded and returned', async () => {
      const { execution, ledger } = round([offered('elicit-1', 'a', accept('x'))]);
      expect(await execution.ask(question('a'))).toEqual(accept('x'));
      expect(ledger.entries).toEqual([settled('elicit-1', 'a', accept('x'))]);
    });

    it('that does not fit is dropped, and the question asked again with the reasons', async () => {
      const { execution, ledger } = round([offered('elicit-1', 'a', accept('bad'))]);
      expect(await outcomeOf(execution.ask(question('a')))).toBe('suspended');
      expect(messageOf(execution, 'elicit-1')).toBe('a (it is bad)');
      expect(ledger.entries).toEqual([{ ...asked('elicit-1', 'a'), misfits: 1 }]);
    });

    it('that does not fit too often ends the round, whatever the handler makes of it', async () => {
      const { execution, ledger } = round([
        { ...offered('elicit-1', 'a', accept('bad')), misfits: 2 },
      ]);
      const error: unknown = await execution.ask(question('a')).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(UnfitAnswerException);
      expect(error).toMatchObject({
        key: 'elicit-1',
        attempts: 3,
        reasons: ['it is bad'],
        message:
          'The answer to "a" did not fit 3 times, as often as it may: it is bad. Start the call anew.',
      });
      await expect(execution.ask(question('b'))).rejects.toBe(error);
      expect(execution.failure).toBe(error);
      expect(execution.pending.size).toBe(0);
      // Whoever tries again finds the answer as it was.
      expect(ledger.question('elicit-1')).toMatchObject({ offer: accept('bad'), misfits: 2 });
      expect(ledger.size).toBe(1);
    });

    it('stays offered when the handler does not come to the question', async () => {
      const { execution, ledger } = round([
        asked('elicit-1', 'a'),
        offered('elicit-2', 'b', accept('x')),
      ]);
      await outcomeOf(execution.ask(question('a')));
      expect(ledger.question('elicit-2')?.offer).toEqual(accept('x'));
    });

    it('stays offered when judging fails, and fails the question', async () => {
      const { execution, ledger } = round([offered('elicit-1', 'a', accept('x'))]);
      const judge = (): never => {
        throw new Error('no database');
      };
      await expect(execution.ask(question('a', { judge }))).rejects.toThrow('no database');
      expect(ledger.question('elicit-1')?.offer).toEqual(accept('x'));
    });

    describe('judged with time', () => {
      const later = (verdict: Verdict): Partial<Ask<unknown>> => ({
        judge: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve, verdict))),
      });

      it('is recorded and returned when it fits', async () => {
        const { execution, ledger } = round([offered('elicit-1', 'a', accept('x'))]);
        const answer = execution.ask(question('a', later({ accepted: true, outcome: 'judged' })));
        expect(await answer).toBe('judged');
        expect(ledger.question('elicit-1')?.outcome).toBe('judged');
      });

      it('is awaited before the round is read, even when the handler does not wait', async () => {
        const { execution, ledger } = round([offered('elicit-1', 'a', accept('x'))]);
        void execution.ask(question('a', later({ accepted: true, outcome: 'judged' })));
        await execution.settle();
        expect(ledger.question('elicit-1')?.outcome).toBe('judged');
      });

      it('joins the questions of a round that has closed meanwhile', async () => {
        const { execution } = round([
          offered('elicit-1', 'a', accept('x')),
          asked('elicit-2', 'b'),
        ]);
        const slow = outcomeOf(
          execution.ask(question('a', later({ accepted: false, reasons: ['too late'] }))),
        );
        expect(await outcomeOf(execution.ask(question('b')))).toBe('suspended');
        expect(await slow).toBe('suspended');
        await execution.settle();
        expect([...execution.pending.keys()]).toEqual(['elicit-2', 'elicit-1']);
        expect(messageOf(execution, 'elicit-1')).toBe('a (too late)');
      });

      it('fails the question when judging fails, and the round can still be read', async () => {
        const { execution } = round([offered('elicit-1', 'a', accept('x'))]);
        const answer = execution.ask(
          question('a', { judge: () => Promise.reject(new Error('no database')) }),
        );
        await expect(answer).rejects.toThrow('no database');
        await execution.settle();
        expect(execution.failure).toBeUndefined();
      });
    });
  });

  describe('another question at a recorded slot', () => {
    it.each([
      ['settled', settled('elicit-1', 'a', accept('secret answer'))],
      ['asked', asked('elicit-1', 'a')],
      ['offered', offered('elicit-1', 'a', accept('secret answer'))],
    ])('that is %s poisons the round', async (_, entry) => {
      const { execution } = round([entry]);
      const error = await execution.ask(question('b')).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LedgerMismatchException);
      expect(error).toMatchObject({
        key: 'elicit-1',
        position: 1,
        recorded: { kind: 'elicit', fingerprint: 'a', label: 'a' },
        attempted: { kind: 'elicit', fingerprint: 'b', label: 'b' },
      });
      expect(JSON.stringify(error)).not.toContain('secret answer');
      expect((error as Error).message).toMatch(
        /Replay mismatch in "handler" at entry #1 \(key "elicit-1"\).+idempotency contract/,
      );
      expect(execution.failure).toBe(error);
    });

    it('makes every later question of the round fail with it, unasked', async () => {
      const { execution, ledger } = round([asked('elicit-1', 'a')]);
      const first = await execution.ask(question('b')).catch((error: unknown) => error);
      const second = await execution.ask(question('c')).catch((error: unknown) => error);
      expect(second).toBe(first);
      expect(ledger.size).toBe(1);
    });

    it('names the place of the slot', async () => {
      const { execution } = round([
        settled('elicit-1', 'a', accept('x')),
        settled('elicit-2', 'b', accept('y')),
      ]);
      await execution.ask(question('a'));
      await expect(execution.ask(question('c'))).rejects.toMatchObject({ position: 2 });
    });
  });

  describe('answers that came without state', () => {
    it('settle a named question', async () => {
      const { execution, ledger } = round([], new Map([['user_name', accept('Ada')]]));
      const answer = execution.ask(question('name?', { key: 'user_name' }));
      expect(await answer).toEqual(accept('Ada'));
      expect(ledger.question('user_name')?.outcome).toEqual(accept('Ada'));
    });

    it('do not settle an unnamed one', async () => {
      const { execution } = round([], new Map([['elicit-1', accept('Ada')]]));
      expect(await outcomeOf(execution.ask(question('name?')))).toBe('suspended');
    });

    it('poison the round when they are malformed', async () => {
      const { execution, ledger } = round([], new Map<string, unknown>([['user_name', 12345]]));
      const answer = execution.ask(question('name?', { key: 'user_name' }));
      await expect(answer).rejects.toBeInstanceOf(RequestStateRejectedException);
      expect(execution.failure).toMatchObject({ reason: 'answer_malformed' });
      expect(ledger.size).toBe(0);
    });
  });

  describe('what the handler tells its client', () => {
    it('is heard where the round comes to what the one before left open, until it asks', async () => {
      const { execution } = round([
        settled('elicit-1', 'a', accept('x')),
        offered('elicit-2', 'b', accept('y')),
      ]);
      expect(execution.muted).toBe(true);
      await execution.ask(question('a'));
      expect(execution.muted).toBe(true);
      await execution.ask(question('b'));
      expect(execution.muted).toBe(false);
      void outcomeOf(execution.ask(question('c')));
      expect(execution.muted).toBe(true);
    });

    it('is heard between two questions that were open together, once both are answered', async () => {
      const partly = [offered('elicit-1', 'a', accept('x')), asked('elicit-2', 'b')];
      const { execution, ledger } = round(partly);
      const first = execution.ask(question('a'));
      void outcomeOf(execution.ask(question('b')));
      await first;
      expect(execution.muted).toBe(true);

      const [a, b] = ledger.entries as [AskEntry, AskEntry];
      const next = round([a, { ...b, offer: accept('y') }]).execution;
      await next.ask(question('a'));
      expect(next.muted).toBe(true);
      await next.ask(question('b'));
      expect(next.muted).toBe(false);
    });

    it('is heard between questions that were asked together and answered together', async () => {
      const { execution } = round([
        offered('elicit-1', 'a', accept('x')),
        offered('elicit-2', 'b', accept('y')),
      ]);
      await execution.ask(question('a'));
      expect(execution.muted).toBe(false);
    });

    it('is heard once the round has come past every question of a ledger without open ones', async () => {
      const { execution } = round([settled('elicit-1', 'a', accept('x'))]);
      expect(execution.muted).toBe(true);
      await execution.ask(question('a'));
      expect(execution.muted).toBe(false);
    });

    it('is heard from the start of a first round to its end', async () => {
      const { execution } = round();
      expect(execution.muted).toBe(false);
      await execution.settle();
      expect(execution.muted).toBe(true);
    });
  });

  it('gives a late question of a suspended round the signal of the round', async () => {
    const { execution } = round();
    const first = execution.ask(question('a')).catch((error: unknown) => error);
    await execution.settle();
    const beforeTheBatchCloses = execution.ask(question('b')).catch((error: unknown) => error);
    const signal = await first;
    expect(isSuspension(signal)).toBe(true);
    expect(await beforeTheBatchCloses).toBe(signal);
    expect(await execution.ask(question('c')).catch((error: unknown) => error)).toBe(signal);
    expect([...execution.pending.keys()]).toEqual(['elicit-1']);
  });

  it('leaves others their turn when a handler catches the signal and asks again', async () => {
    const { execution } = round();
    await execution.ask(question('a')).catch(() => undefined);
    const other = jest.fn();
    setImmediate(other);
    let tries = 0;
    while (other.mock.calls.length === 0 && tries < 100) {
      tries += 1;
      await execution.ask(question('b')).catch(() => undefined);
    }
    expect(tries).toBe(1);
  });

  it('asks nothing once the handler has settled', async () => {
    const { execution, ledger } = round();
    await execution.settle();
    await expect(execution.ask(question('a'))).rejects.toThrow(OutsideHandlerException);
    await expect(execution.ask(question('a'))).rejects.toThrow(/after "handler" had settled/);
    expect(ledger.size).toBe(0);
  });
});
