import { DivergedReplayException, LedgerMismatchException } from '../exceptions/index.js';
import type { InputRequiredResult, JsonValue } from '../protocol/index.js';
import { KeyRing } from './key-ring.js';
import type { ReplayEvent } from './mcp-observer.js';
import type { CallOutcome } from './replay-carrier.js';
import type { Round } from './round-player.js';
import { RequestStateCodec } from './request-state.codec.js';
import { plainAsk, replayCall, wireEngine } from './round.fixture.js';

const codec = new RequestStateCodec(KeyRing.ephemeral(), 'bank');
const events: ReplayEvent[] = [];
const engine = wireEngine(
  codec,
  {},
  {
    observer: { observe: (event) => void events.push(event) },
  },
);
/** What was done, in order. */
let done: string[];

beforeEach(() => {
  done = [];
  events.length = 0;
});

/** Plays a conversation to its end, every question answered with its own text. */
async function rehearse(
  handler: (round: Round) => Promise<unknown>,
  rehearsed = true,
): Promise<unknown> {
  let outcome: CallOutcome<unknown> = await engine.play(replayCall({ rehearsed }), handler);
  while (outcome.type === 'suspended') {
    const { requestState, inputRequests } = outcome.result as InputRequiredResult;
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests).map((key) => [key, { action: 'accept', content: { key } }]),
    );
    const call = replayCall({ rehearsed, requestState, inputResponses });
    outcome = await engine.play(call, handler);
  }
  if (outcome.type !== 'completed') throw new Error(outcome.type);
  return outcome.value;
}

const ask = ({ execution }: Round, text: string): Promise<unknown> =>
  execution.ask(() => plainAsk(text));
const step = ({ execution }: Round, name: string): Promise<unknown> =>
  execution.step(name, () => {
    done.push(name);
    return name;
  });

describe('A rehearsed handler', () => {
  const careful = async (round: Round): Promise<JsonValue> => {
    const at = round.execution.draw('now()', (records) => records.now());
    const first = await step(round, 'reserve');
    const name = (await ask(round, 'name')) as JsonValue;
    const [charge, mail, sure] = await Promise.all([
      step(round, 'charge'),
      step(round, 'mail'),
      ask(round, 'sure'),
    ]);
    done.push('end');
    return [typeof at, first, name, charge, mail, sure] as JsonValue;
  };

  it('ends as it would otherwise, and has done everything as often', async () => {
    const value = await rehearse(careful);
    expect([...done].sort()).toEqual(['charge', 'end', 'mail', 'reserve']);
    done = [];
    expect(await rehearse(careful, false)).toEqual(value);
    expect([...done].sort()).toEqual(['charge', 'end', 'mail', 'reserve']);
  });

  it('is told of as one round each', async () => {
    await rehearse(careful);
    expect(events.map(({ type }) => type)).toEqual([
      'round.started',
      'round.suspended',
      'round.started',
      'round.suspended',
      'round.started',
      'round.completed',
    ]);
  });

  it('does over and over what is in no step, even where no question follows', async () => {
    const careless = async (round: Round): Promise<void> => {
      done.push('before');
      await step(round, 'charge');
      done.push('between');
      await step(round, 'mail');
      done.push('after');
    };
    await rehearse(careless);
    expect(done).toEqual([
      'before',
      'charge',
      'before',
      'between',
      'mail',
      'before',
      'between',
      'after',
    ]);
    done = [];
    await rehearse(careless, false);
    expect(done).toEqual(['before', 'charge', 'between', 'mail', 'after']);
  });

  it('is played again after an answer', async () => {
    const careless = async (round: Round): Promise<void> => {
      await ask(round, 'a');
      done.push('a');
      await ask(round, 'b');
      done.push('b');
    };
    await rehearse(careless);
    expect(done).toEqual(['a', 'a', 'a', 'b']);
    done = [];
    await rehearse(careless, false);
    expect(done).toEqual(['a', 'a', 'b']);
  });

  it('ends what is under way before it begins anew', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await rehearse(async (round) => {
      const slow = round.execution.step('slow', async () => {
        await released;
        done.push('slow');
      });
      const quick = step(round, 'quick').finally(() => setImmediate(release));
      await Promise.all([slow, quick]);
    });
    expect(done).toEqual(['quick', 'slow']);
  });

  it('is muted from where it is interrupted', async () => {
    const heard: string[] = [];
    const tell = ({ execution }: Round, text: string): void => {
      if (!execution.muted) heard.push(text);
    };
    await rehearse(async (round) => {
      tell(round, 'begin');
      try {
        await step(round, 'charge');
        tell(round, 'charged');
      } finally {
        tell(round, 'finally');
      }
    });
    expect(heard).toEqual(['begin', 'charged', 'finally']);
  });

  it('fails when it ends without what it has done before', async () => {
    let pass = 0;
    const fickle = async (round: Round): Promise<string> => {
      pass += 1;
      if (pass === 1) await step(round, 'charge');
      return 'done';
    };
    const failed = rehearse(fickle);
    await expect(failed).rejects.toThrow(DivergedReplayException);
    await expect(failed).rejects.toMatchObject({
      handler: 'handler',
      data: { reason: 'replay_diverged', handler: 'handler', leftover: ['step/charge'] },
      message: expect.stringMatching(
        /^"handler" ended without coming to "step\/charge"/,
      ) as unknown,
    });
    expect(events.at(-1)).toMatchObject({ type: 'round.failed' });
  });

  it('fails when it asks otherwise', async () => {
    let pass = 0;
    const failed = rehearse(async (round) => {
      pass += 1;
      const key = `at ${pass}`;
      await round.execution.ask(() => ({ ...plainAsk(key), kind: 'elicit' }));
    });
    await expect(failed).rejects.toThrow(LedgerMismatchException);
  });

  it('cannot swallow the interruption', async () => {
    const value = await rehearse(async (round) => {
      await step(round, 'charge').catch(() => 'swallowed');
      await ask(round, 'a').catch(() => 'swallowed');
      return step(round, 'mail').catch(() => 'swallowed');
    });
    expect(value).toBe('mail');
    expect(done).toEqual(['charge', 'mail']);
  });
});
