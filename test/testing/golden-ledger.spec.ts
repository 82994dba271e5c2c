import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { MCP_CLOCK, McpContext, McpModule, McpTool, McpToolContext } from '@dacapo/mcp';
import {
  accept,
  BrokenConversationException,
  decline,
  FakeClock,
  type GoldenLedger,
  McpTestClient,
  readGoldenLedgers,
  recordGoldenLedger,
  replayGoldenLedger,
  UnusedAnswersException,
  writeGoldenLedger,
} from '@dacapo/testing';

/** What a deployment changes. */
let release: (ctx: McpToolContext) => Promise<string>;
let charges: number;

@Injectable()
class Shop {
  @McpTool({ description: 'Changes with each release' })
  buy(@McpContext() ctx: McpToolContext): Promise<string> {
    return release(ctx);
  }
}

const charge = (ctx: McpToolContext): Promise<number> =>
  ctx.step('charge', () => {
    charges += 1;
    return charges;
  });

/** 1.0 asks for a name, charges, and asks whether to wrap it. */
async function first(ctx: McpToolContext): Promise<string> {
  const { name } = await ctx.ask('Name?', (form) => form.string('name'), { key: 'name' });
  const payment = await charge(ctx);
  const wrapped = await ctx.confirm('Wrap it?', { key: 'wrap' });
  return `${name}, payment ${payment}${wrapped ? ', wrapped' : ''}`;
}

const clock = new FakeClock();
const folder = mkdtempSync(join(tmpdir(), 'dacapo-golden-'));
let app: INestApplicationContext;
let client: McpTestClient;
let golden: GoldenLedger;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [McpModule.forRoot({ server: { name: 'shop', version: '1.0.0' } })],
    providers: [Shop],
  })
    .overrideProvider(MCP_CLOCK)
    .useValue(clock.now)
    .compile();
  app = await module.init();
  client = McpTestClient.connect(app);
  release = first;
  charges = 0;
  golden = await recordGoldenLedger(client, CALL, ANSWERS);
  // Releases are months apart.
  clock.advance(10_000_000_000);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  charges = 0;
});

const CALL = { method: 'tools/call', params: { name: 'buy', arguments: {} } } as const;
const ANSWERS = { name: accept({ name: 'Ada' }), wrap: accept({ confirmed: true }) };

describe('A recorded conversation', () => {
  it('holds each round and the result', () => {
    expect(golden).toMatchObject({
      ...CALL,
      rounds: [
        { state: { round: 1, entries: [{ key: 'name' }] }, answers: { name: ANSWERS.name } },
        {
          state: {
            round: 2,
            entries: [{ key: 'name' }, { key: 'step/charge', outcome: 1 }, { key: 'wrap' }],
          },
          answers: { wrap: ANSWERS.wrap },
        },
      ],
      result: { content: [{ text: 'Ada, payment 1, wrapped' }] },
    });
  });

  it('is a file that is never written again', () => {
    writeGoldenLedger(folder, 'buy-1.0', golden);
    expect(() => writeGoldenLedger(folder, 'buy-1.0', golden)).toThrow('EEXIST');
    expect(readdirSync(folder)).toEqual(['buy-1.0.json']);
    expect(readGoldenLedgers(pathToFileURL(folder))).toEqual([['buy-1.0', golden]]);
  });

  it('is not recorded by a script that does not fit', async () => {
    const recorded = recordGoldenLedger(client, CALL, { ...ANSWERS, tip: decline() });
    await expect(recorded).rejects.toThrow(UnusedAnswersException);
  });

  it('goes on in the same release, without doing again what was done', async () => {
    release = first;
    await replayGoldenLedger(client, golden);
    // From its first round only: the second has the charge in its ledger.
    expect(charges).toBe(1);
  });

  it('goes on when words have changed', async () => {
    release = async (ctx) => {
      const { name } = await ctx.ask('Who are you?', (form) => form.string('name'), {
        key: 'name',
      });
      const payment = await charge(ctx);
      const wrapped = await ctx.confirm('A gift?', { key: 'wrap' });
      return `${name}, payment ${payment}${wrapped ? ', wrapped' : ''}`;
    };
    await replayGoldenLedger(client, golden);
  });

  it.each<[string, typeof first, number, string]>([
    [
      'asks otherwise under the same key',
      async (ctx) => {
        await ctx.ask('Name?', (form) => form.email('name'), { key: 'name' });
        return 'never';
      },
      1,
      'Replay mismatch in "buy" at entry #1 (key "name")',
    ],
    [
      'asks something new',
      async (ctx) => {
        const text = await first(ctx);
        await ctx.confirm('A tip?', { key: 'tip' });
        return text;
      },
      1,
      'Nothing answers "tip" of round',
    ],
    ['ends otherwise', async (ctx) => `${await first(ctx)}.`, 1, 'Expected values to be strictly'],
    [
      'has lost a step',
      async (ctx) => {
        await ctx.ask('Name?', (form) => form.string('name'), { key: 'name' });
        await ctx.confirm('Wrap it?', { key: 'wrap' });
        return 'Ada, payment 1, wrapped';
      },
      2,
      'ended without coming to "step/charge"',
    ],
  ])('breaks with a release that %s', async (_, code, round, words) => {
    release = code;
    const replayed = replayGoldenLedger(client, golden);
    await expect(replayed).rejects.toThrow(BrokenConversationException);
    await expect(replayed).rejects.toThrow(
      `A conversation that was recorded in an earlier release cannot go on after round ${round} of 2: `,
    );
    await expect(replayed).rejects.toThrow(words);
  });

  it('may be answered what it was not asked, and compared otherwise', async () => {
    release = async (ctx) => {
      const text = await first(ctx);
      return `${text}, tip ${await ctx.confirm('A tip?', { key: 'tip' })}`;
    };
    const results: unknown[] = [];
    await replayGoldenLedger(client, golden, {
      answers: ({ key }) => (key === 'tip' ? decline() : undefined),
      compare: (result) => void results.push(result),
    });
    const text = 'Ada, payment 1, wrapped, tip false';
    expect(results).toMatchObject([{ content: [{ text }] }, { content: [{ text }] }]);
  });
});
