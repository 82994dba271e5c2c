import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpContext, McpModule, McpTool, McpToolContext } from '@dacapo/mcp';
import { accept, McpTestClient, replayEverywhere } from '@dacapo/testing';

/** What was done in the world, in order. */
let done: string[];
let pass: number;

@Injectable()
class Shop {
  @McpTool({ description: 'Keeps the contract' })
  async careful(@McpContext() ctx: McpToolContext): Promise<string> {
    const order = await ctx.step('order', () => done.push('ordered'));
    const progress = ctx.countingProgress(2);
    progress.next();
    const { name } = await ctx.ask('Name?', (form) => form.string('name'));
    const at = await ctx.step('charge', () => done.push('charged'));
    progress.next();
    return `${name} ${order} ${at}`;
  }

  @McpTool({ description: 'Charges outside of a step, after the last question' })
  async careless(@McpContext() ctx: McpToolContext): Promise<string> {
    const { name } = await ctx.ask('Name?', (form) => form.string('name'));
    done.push('charged');
    await ctx.step('mail', () => void done.push('mailed'));
    return name;
  }

  @McpTool({ description: 'Mails now and then' })
  async fickle(@McpContext() ctx: McpToolContext): Promise<void> {
    pass += 1;
    if (pass === 1) await ctx.step('mail', () => void done.push('mailed'));
  }

  @McpTool({ description: 'Asks about the time' })
  async clock(@McpContext() ctx: McpToolContext): Promise<void> {
    pass += 1;
    await ctx.confirm(`Is it ${pass} o'clock?`);
  }

  @McpTool({ description: 'Ends while its step is under way' })
  async hasty(@McpContext() ctx: McpToolContext): Promise<void> {
    void ctx.step('mail', async () => {
      await new Promise(setImmediate);
      done.push('mailed');
    });
    await Promise.resolve();
  }

  @McpTool({ description: 'Neither asks nor takes steps' })
  plain(): string {
    done.push('done');
    return 'done';
  }
}

let app: INestApplicationContext;
let client: McpTestClient;
let strict: McpTestClient;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [McpModule.forRoot({ server: { name: 'shop', version: '1.0.0' } })],
    providers: [Shop],
  }).compile();
  app = await module.init();
  client = McpTestClient.connect(app);
  strict = replayEverywhere(client);
});
afterAll(() => app.close());
beforeEach(() => {
  done = [];
  pass = 0;
});

const ADA = [accept({ name: 'Ada' })];

describe('A tool that is replayed everywhere', () => {
  it('ends as it does otherwise, when it keeps the contract', async () => {
    const rehearsed = await strict.callTool('careful', {}, ADA);
    const heard = rehearsed.conversation.progress.map(({ progress }) => progress);
    const effects = done;
    done = [];
    const plain = await client.callTool('careful', {}, ADA);
    expect(rehearsed.result).toEqual(plain.result);
    expect(effects).toEqual(done);
    expect(effects).toEqual(['ordered', 'charged']);
    expect(heard).toEqual(plain.conversation.progress.map(({ progress }) => progress));
  });

  it('shows what it does outside of a step, where no user would have yet', async () => {
    await client.callTool('careless', {}, ADA);
    expect(done).toEqual(['charged', 'mailed']);
    done = [];
    await strict.callTool('careless', {}, ADA);
    expect(done).toEqual(['charged', 'mailed', 'charged']);
  });

  it('fails when it leaves out what it did before', async () => {
    await client.callTool('fickle');
    pass = 0;
    await expect(strict.callTool('fickle')).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('"fickle" ended without coming to "step/mail"') as unknown,
      data: { reason: 'replay_diverged', handler: 'fickle', leftover: ['step/mail'] },
    });
  });

  it('fails when it forgets to await a step, as with any other client', async () => {
    const plain = await client.callTool('hasty');
    expect(plain.isError).toBe(true);
    expect((await strict.callTool('hasty')).result).toEqual(plain.result);
    expect(done).toEqual(['mailed', 'mailed']);
  });

  it('fails when it asks something else', async () => {
    await expect(strict.callTool('clock', {}, [accept({ confirmed: true })])).rejects.toMatchObject(
      {
        data: { reason: 'ledger_mismatch', key: 'elicit-1' },
      },
    );
  });

  it('is played once when there is nothing to replay', async () => {
    expect((await strict.callTool('plain')).text).toBe('done');
    expect(done).toEqual(['done']);
  });
});
