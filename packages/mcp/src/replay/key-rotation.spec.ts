import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { InputRequiredResult } from '../protocol/index.js';
import type { Ask } from './ask.js';
import { KeyRing } from './key-ring.js';
import type { MrtrEngine } from './mrtr.engine.js';
import type { ReplayCall, Round } from './round-player.js';
import { RequestStateCodec } from './request-state.codec.js';
import { plainAsk, replayCall, wireEngine } from './round.fixture.js';

const secret = (): string => randomBytes(32).toString('base64');

/** An instance of the server, as a deployment starts it. */
function start(secrets: string | readonly string[]): MrtrEngine {
  const codec = new RequestStateCodec(KeyRing.fromSecret(secrets), 'shop');
  return wireEngine(codec, {
    ttlMs: 60_000,
    maxAgeMs: 60_000,
    maxRounds: 100,
    maxStateBytes: 65_536,
  });
}

const question = (text: string) => (): Ask<string> => ({ ...plainAsk(text), revive: () => text });

const QUESTIONS = 30;
const CONVERSATIONS = 50;

async function handler({ execution }: Round): Promise<string> {
  const answers: string[] = [];
  for (let count = 1; count <= QUESTIONS; count += 1) {
    answers.push(await execution.ask(question(`${count}`)));
    await turn();
  }
  return answers.join();
}

const EXPECTED = Array.from({ length: QUESTIONS }, (_, index) => `${index + 1}`).join();

describe('Keys that change while two instances are called', () => {
  it('lose no conversation, when each deployment reaches both before the next begins', async () => {
    const [old, next] = [secret(), secret()];
    const instances = [start(old), start(old)];
    let rounds = 0;

    const converse = async (seed: number): Promise<string> => {
      let rest: Partial<ReplayCall> = {};
      for (;;) {
        rounds += 1;
        const call = replayCall(rest);
        const instance = instances[(seed + rounds) % 2] as MrtrEngine;
        const outcome = await instance.play(call, handler);
        if (outcome.type === 'completed') return outcome.value;
        if (outcome.type !== 'suspended') throw new Error(`not in this spec: ${outcome.type}`);
        const { inputRequests, requestState } = outcome.result as InputRequiredResult;
        const answers = Object.keys(inputRequests).map((key) => [key, { action: 'accept' }]);
        rest = { requestState, inputResponses: Object.fromEntries(answers) as object };
      }
    };

    const deployments = [[old, next], [next, old], next].flatMap((secrets) =>
      [0, 1].map((index) => ({ index, secrets })),
    );
    const conversations = Array.from({ length: CONVERSATIONS }, (_, seed) => converse(seed));
    for (const { index, secrets } of deployments) {
      // Two rounds of every conversation: whatever was sealed before has been sealed anew.
      const enough = rounds + 2 * CONVERSATIONS;
      while (rounds < enough) await turn();
      instances[index] = start(secrets);
    }
    expect(rounds).toBeLessThan(CONVERSATIONS * (QUESTIONS + 1));
    expect(new Set(await Promise.all(conversations))).toEqual(new Set([EXPECTED]));
    expect(rounds).toBe(CONVERSATIONS * (QUESTIONS + 1));
  });

  it('lose those that were sealed with a key that nobody holds any more, and say so', async () => {
    const codec = (secrets: string | string[]): RequestStateCodec =>
      new RequestStateCodec(KeyRing.fromSecret(secrets), 'shop');
    const [old, next] = [secret(), secret()];
    const token = codec(old).seal({
      conversationId: 'c',
      round: 1,
      startedAt: 1,
      issuedAt: 1,
      principal: null,
      method: 'tools/call',
      target: 'buy',
      argumentsDigest: 'none',
      entries: [],
    });
    expect(codec([next, old]).open(token).conversationId).toBe('c');
    expect(() => codec(next).open(token)).toThrow(/under a key this server does not hold/);
  });
});
