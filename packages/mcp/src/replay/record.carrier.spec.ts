import { UnsavedEntriesException } from '../exceptions/index.js';
import type { JsonValue } from '../protocol/index.js';
import type { LedgerEntry } from './ledger.js';
import { RecordCarrier } from './record.carrier.js';
import { ReplayExecutor } from './replay-executor.js';
import { plainAsk, REPLAY_LIMITS, replayCall } from './round.fixture.js';
import { type Round, RoundPlayer } from './round-player.js';

const player = new RoundPlayer(new ReplayExecutor(), REPLAY_LIMITS);
/** What was kept, each time, by key. */
let kept: string[][];
/** What was done, and kept, in order. */
let done: string[];
let broken: boolean;

beforeEach(() => {
  kept = [];
  done = [];
  broken = false;
});

async function save(entries: readonly LedgerEntry[]): Promise<void> {
  await Promise.resolve();
  if (broken) throw new Error('no store');
  kept.push(entries.map(({ key }) => key));
  done.push('kept');
}

function carrier(
  entries: readonly LedgerEntry[] = [],
  answers: { [key: string]: JsonValue } = {},
): RecordCarrier {
  return new RecordCarrier(
    player,
    { conversationId: 'c', startedAt: 0, round: 2, entries, answers },
    save,
  );
}

const step = ({ execution }: Round, name: string): Promise<unknown> =>
  execution.step(name, () => {
    done.push(name);
    return name;
  });
const ask = ({ execution }: Round, text: string): Promise<unknown> =>
  execution.ask(() => plainAsk(text));
const YES = { action: 'accept', content: {} };

describe('A conversation in a record', () => {
  const handler = async (round: Round): Promise<JsonValue> => {
    const first = (await step(round, 'reserve')) as JsonValue;
    const answer = (await ask(round, 'sure')) as JsonValue;
    return [first, answer, (await step(round, 'charge')) as JsonValue, round.round];
  };

  it('is suspended without a token, and goes on with its answers', async () => {
    const before = carrier();
    expect(await before.play(replayCall(), handler)).toEqual({
      type: 'suspended',
      result: { resultType: 'input_required', inputRequests: before.inputRequests },
    });
    expect(Object.keys(before.inputRequests)).toEqual(['elicit-1']);
    expect(before.entries).toMatchObject([
      { key: 'step/reserve', outcome: 'reserve' },
      { key: 'elicit-1' },
    ]);
    const after = carrier(before.entries, { 'elicit-1': YES });
    expect(await after.play(replayCall(), handler)).toEqual({
      type: 'completed',
      value: ['reserve', YES, 'charge', 2],
    });
    expect(after.inputRequests).toEqual({});
    expect(kept).toEqual([['step/reserve'], ['step/reserve', 'elicit-1', 'step/charge']]);
  });

  it('ignores answers to what is not open', async () => {
    const answers = { 'elicit-1': YES, 'elicit-7': YES, 'step/reserve': YES };
    const first = carrier([], answers);
    expect(await first.play(replayCall(), handler)).toMatchObject({ type: 'suspended' });
    expect(done).toContain('reserve');
  });

  it('keeps what a step did before its value is given', async () => {
    await carrier().play(replayCall(), async (round) => {
      await step(round, 'charge');
      done.push('told');
    });
    expect(done).toEqual(['charge', 'kept', 'told']);
  });

  it('keeps what was drawn before a step builds on it', async () => {
    await carrier().play(replayCall(), async (round) => {
      round.execution.draw('uuid()', (records) => records.uuid());
      round.execution.draw('version()', (records) => records.version('tax', 1, 2));
      await step(round, 'charge');
      await step(round, 'mail');
    });
    expect(kept).toEqual([
      ['uuid/1', 'version/tax'],
      ['uuid/1', 'version/tax', 'step/charge'],
      ['uuid/1', 'version/tax', 'step/charge', 'step/mail'],
    ]);
    expect(done).toEqual(['kept', 'charge', 'kept', 'mail', 'kept']);
  });

  it('ends the round where nothing can be kept, whatever the handler makes of it', async () => {
    broken = true;
    const played = carrier().play(replayCall({ handlerName: 'import' }), async (round) => {
      await step(round, 'charge').catch(() => 'swallowed');
      await step(round, 'mail').catch(() => 'swallowed');
    });
    await expect(played).rejects.toThrow(UnsavedEntriesException);
    await expect(played).rejects.toThrow(
      'What "import" has recorded could not be kept. The round ends here, and is to be played again.',
    );
    await expect(played).rejects.toMatchObject({ cause: new Error('no store') });
    expect(done).toEqual(['charge']);
  });

  it('goes on from what an earlier attempt of an interceptor has recorded', async () => {
    const played = carrier();
    const failing = played.play(replayCall(), async (round) => {
      await step(round, 'charge');
      throw new Error('once');
    });
    await expect(failing).rejects.toThrow('once');
    const value = await played.play(replayCall(), (round) => step(round, 'charge'));
    expect(value).toEqual({ type: 'completed', value: 'charge' });
    expect(done).toEqual(['charge', 'kept']);
  });

  it('has a ledger of its own when it starts again', async () => {
    const asked = carrier();
    await asked.play(replayCall(), (round) => ask(round, 'old'));
    const anew = carrier(asked.entries);
    const call = replayCall({ replay: { onMismatch: 'restart' } });
    await anew.play(call, (round) => ask(round, 'new'));
    expect(anew.entries).toMatchObject([{ key: 'elicit-1', label: 'new' }]);
  });
});
