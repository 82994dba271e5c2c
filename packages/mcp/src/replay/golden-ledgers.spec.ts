import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonValue } from '../protocol/index.js';
import type { Ask } from './ask.js';
import { KeyRing } from './key-ring.js';
import type { RequestState } from './request-state.js';
import { RequestStateCodec } from './request-state.codec.js';
import { plainAsk, replayCall, wireEngine } from './round.fixture.js';

/**
 * Tokens as earlier releases have sealed them. A release that cannot go on from one breaks conversations
 * that are under way when it is deployed: never change a file, add one when the format grows.
 */
interface GoldenLedger {
  readonly secret: string;
  readonly server: string;
  readonly token: string;
  readonly state: RequestState;
  /** What the handler below makes of it, with the last answer. */
  readonly value: JsonValue;
}

const folder = fileURLToPath(new URL('./golden/', import.meta.url));
const goldens = readdirSync(folder).map((file): [string, GoldenLedger] => [
  file,
  JSON.parse(readFileSync(folder + file, 'utf8')) as GoldenLedger,
]);

const question = (key: string, fingerprint: string) => (): Ask<unknown> => ({
  ...plainAsk(key),
  ...(key.startsWith('elicit-') ? {} : { key }),
  fingerprint,
});

describe('A ledger of an earlier release', () => {
  it('is there', () => {
    expect(goldens.length).toBeGreaterThan(0);
  });

  it.each(goldens)('opens as it was sealed: %s', (_, { secret, server, token, state }) => {
    expect(new RequestStateCodec(KeyRing.fromSecret(secret), server).open(token)).toEqual(state);
  });

  it.each(goldens)('goes on from where it was: %s', async (_, golden) => {
    const { secret, server, token, state, value } = golden;
    const codec = new RequestStateCodec(KeyRing.fromSecret(secret), server);
    const engine = wireEngine(
      codec,
      {},
      {
        now: () => state.issuedAt + 1,
      },
    );
    const call = replayCall({
      handlerName: state.target,
      target: state.target,
      method: state.method,
      principal: state.principal,
      argumentsDigest: () => state.argumentsDigest,
      requestState: token,
      inputResponses: { 'elicit-2': { action: 'accept', content: { yes: true } } },
    });
    const never = (): never => {
      throw new Error('it was done again');
    };
    const outcome = await engine.play(call, async ({ execution, round, conversationId }) => [
      conversationId,
      round,
      execution.draw('now', (records) => records.now()),
      execution.draw('random', (records) => records.random()),
      execution.draw('uuid', (records) => records.uuid()),
      execution.draw('version', (records) => records.version('tax', 1, 3)),
      await execution.ask(question('elicit-1', 'fingerprint-1')),
      await execution.ask(question('plan', 'fingerprint-2')),
      await execution.step('charge', never),
      await execution.step('charge', never),
      (await execution.step<string | null>('mail', never)) ?? null,
      await execution.ask(question('elicit-2', 'fingerprint-3')),
    ]);
    expect(outcome).toEqual({ type: 'completed', value });
  });
});
