import { Injectable } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  type JsonRpcNotification,
  McpContext,
  type McpExchange,
  McpInProcess,
  McpModule,
  McpPrincipalSource,
  McpTool,
  McpToolContext,
  MetaKey,
} from '@dacapo/mcp';
import { InMemoryTaskStore, McpTask, McpTasksModule } from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';
import { Gate } from '../support/gate.js';
import { call, CAPABLE, send, TASKS, until } from '../support/task-client.js';

class HeaderPrincipals extends McpPrincipalSource {
  currentPrincipal({ headers }: McpExchange): string | null {
    return (headers['user'] as string | undefined) ?? null;
  }
}

/** What handlers have done, by case. */
class Witness {
  readonly done: string[] = [];
  readonly gate = new Gate();
  aborted = new Gate();
}

let witness: Witness;

@Injectable()
class ImportTools {
  @McpTask()
  @McpTool()
  async importAll(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.absoluteProgress(2).to(1, 'reading');
    const rows = await ctx.step('read', () => {
      witness.done.push('read');
      return 3;
    });
    const [keep, twice] = await Promise.all([
      ctx.confirm(`Keep ${rows} rows?`, { key: 'keep' }),
      ctx.confirm('Twice?', { key: 'twice' }),
    ]);
    await ctx.step('write', () => void witness.done.push('write'));
    return `${rows} rows, ${keep}, ${twice}`;
  }

  @McpTask({ begin: 'on-detach' })
  @McpTool()
  async askFirst(@McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.confirm('Sure?');
    await ctx.step('prepare', () => void witness.done.push('prepare'));
    await ctx.detach();
    await ctx.step('work', () => void witness.done.push('work'));
    return `sure: ${sure}`;
  }

  @McpTask({ afterMs: 20 })
  @McpTool()
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('first', () => void witness.done.push('first'));
    await witness.gate.opened;
    await ctx.step('second', () => void witness.done.push('second'));
    const name = await ctx.confirm('Go on?');
    return `went on: ${name}`;
  }

  @McpTask({ required: true, ttlMs: 5_000 })
  @McpTool()
  async endless(@McpContext() ctx: McpToolContext): Promise<never> {
    witness.done.push('begun');
    return new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => {
        witness.aborted.open();
        reject(ctx.signal.reason as Error);
      });
    });
  }

  @McpTool()
  async plain(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.detach();
    return 'never';
  }
}

const apps: INestApplicationContext[] = [];

async function start(store = new InMemoryTaskStore()): Promise<INestApplicationContext> {
  const module = await Test.createTestingModule({
    imports: [
      McpModule.forRoot({
        server: { name: 'imports', version: '1.0.0' },
        principalSource: { useClass: HeaderPrincipals },
        replay: { secret: Buffer.alloc(32, 1).toString('base64') },
      }),
      McpTasksModule.forRoot({ graceMs: 50, store: { useFactory: () => store } }),
    ],
    providers: [ImportTools],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  apps.push(app);
  return app;
}

const yes = { action: 'accept', content: { confirmed: true } };

beforeEach(() => {
  witness = new Witness();
});

afterEach(async () => {
  witness.gate.open();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

describe('a task', () => {
  it('asks two questions at once, takes their answers one by one, and does each step once', async () => {
    const client = McpInProcess.connect(await start());
    const { taskId, resultType } = await call(client, 'importAll');
    expect(resultType).toBe('task');
    const asking = await until(client, taskId, 'input_required');
    expect(Object.keys(asking['inputRequests'] as object)).toEqual(['keep', 'twice']);
    expect(asking['statusMessage']).toBe('1/2: reading');
    await send(client, 'tasks/update', { taskId, inputResponses: { keep: yes, other: 5 } });
    const half = await send(client, 'tasks/get', { taskId });
    expect(Object.keys(half['inputRequests'] as object)).toEqual(['twice']);
    expect(half['status']).toBe('input_required');
    const refusal = await send(client, 'tasks/update', { taskId, inputResponses: { twice: 5 } });
    expect(refusal).toMatchObject({ code: -32602, data: { reason: 'answer_malformed' } });
    await send(client, 'tasks/update', { taskId, inputResponses: { twice: yes } });
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: '3 rows, true, true' }] });
    expect(witness.done).toEqual(['read', 'write']);
  });

  it('asks anew, under another key, what was answered with what does not fit', async () => {
    const client = McpInProcess.connect(await start());
    const { taskId } = await call(client, 'importAll');
    await until(client, taskId, 'input_required');
    const inputResponses = { keep: { action: 'accept', content: { confirmed: 'x' } }, twice: yes };
    await send(client, 'tasks/update', { taskId, inputResponses });
    await eventually(async () => {
      const { inputRequests } = await send(client, 'tasks/get', { taskId });
      expect(Object.keys(inputRequests as object)).toEqual(['keep~2']);
    });
    await send(client, 'tasks/update', { taskId, inputResponses: { 'keep~2': yes } });
    await until(client, taskId, 'completed');
  });

  it('goes on elsewhere, with what is recorded, when its process is gone', async () => {
    const store = new InMemoryTaskStore();
    const first = await start(store);
    const { taskId } = await call(McpInProcess.connect(first), 'importAll');
    await until(McpInProcess.connect(first), taskId, 'input_required');
    await first.close();
    const second = McpInProcess.connect(await start(store));
    await send(second, 'tasks/update', { taskId, inputResponses: { keep: yes, twice: yes } });
    await until(second, taskId, 'completed');
    expect(witness.done).toEqual(['read', 'write']);
  });

  it('begins where a call detaches, after its questions', async () => {
    const client = McpInProcess.connect(await start());
    const { requestState, inputRequests } = await call(client, 'askFirst');
    const inputResponses = Object.fromEntries(
      Object.keys(inputRequests as object).map((key) => [key, yes]),
    );
    const created = await call(client, 'askFirst', { requestState, inputResponses });
    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    const { result } = await until(client, created['taskId'], 'completed');
    expect(result).toMatchObject({ content: [{ text: 'sure: true' }] });
    expect(witness.done).toEqual(['prepare', 'work']);
  });

  it('is made of a call that lasts, which goes on and asks', async () => {
    const client = McpInProcess.connect(await start());
    const { taskId, resultType } = await call(client, 'slow');
    expect(resultType).toBe('task');
    expect(witness.done).toEqual(['first']);
    witness.gate.open();
    const { inputRequests } = await until(client, taskId, 'input_required');
    const [key = ''] = Object.keys(inputRequests as object);
    await send(client, 'tasks/update', { taskId, inputResponses: { [key]: yes } });
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'went on: true' }] });
    expect(witness.done).toEqual(['first', 'second']);
  });

  it('ends its work when it is cancelled, for good', async () => {
    const client = McpInProcess.connect(await start());
    const { taskId } = await call(client, 'endless');
    await eventually(async () => expect(witness.done).toEqual(['begun']));
    const complete = { resultType: 'complete' };
    expect(await send(client, 'tasks/cancel', { taskId })).toMatchObject(complete);
    await witness.aborted.opened;
    expect(await send(client, 'tasks/cancel', { taskId })).toMatchObject(complete);
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' });
  });

  it('is known to its caller only, and to clients that know tasks', async () => {
    const app = await start();
    const ann = McpInProcess.connect(app, { headers: { user: 'ann' } });
    const bob = McpInProcess.connect(app, { headers: { user: 'bob' } });
    const { taskId } = await call(ann, 'importAll');
    await until(ann, taskId, 'input_required');
    const unknown = await send(ann, 'tasks/get', { taskId: 'x' });
    expect(unknown).toMatchObject({ code: -32602 });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const params = { taskId, inputResponses: {} };
      expect(await send(bob, method, params)).toEqual(unknown);
      expect(await send(ann, method, params, {})).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
      });
    }
    expect(await send(ann, 'tasks/get', {})).toMatchObject({ code: -32602 });
    expect(await send(ann, 'tasks/update', { taskId })).toMatchObject({ code: -32602 });
  });

  it('is no task for clients that know none, and refused where it must be one', async () => {
    const client = McpInProcess.connect(await start());
    const elicitation = { elicitation: {} };
    const params = { name: 'importAll', arguments: {} };
    const asked = await send(client, 'tools/call', params, elicitation);
    expect(asked['resultType']).toBe('input_required');
    const refused = await send(client, 'tools/call', { name: 'endless' }, elicitation);
    expect(refused).toMatchObject({ code: -32021 });
    expect(witness.done).toEqual(['read']);
  });

  it('refuses arguments before there is a task', async () => {
    const client = McpInProcess.connect(await start());
    const answer = await call(client, 'importAll', { arguments: { odd: 1 } });
    expect(answer).toMatchObject({ resultType: 'complete', isError: true });
  });

  it('is no task where the tool was not made one', async () => {
    const client = McpInProcess.connect(await start());
    expect(await call(client, 'plain')).toMatchObject({ isError: true });
  });

  it('is told of to those who listen, from how it stands to its end', async () => {
    const client = McpInProcess.connect(await start());
    const { taskId } = await call(client, 'importAll');
    await until(client, taskId, 'input_required');
    const heard: JsonRpcNotification[] = [];
    const stop = new AbortController();
    const _meta = {
      [MetaKey.ProtocolVersion]: '2026-07-28',
      [MetaKey.ClientCapabilities]: CAPABLE,
    };
    const params = { notifications: { taskIds: [taskId, 'unknown'] }, _meta };
    const listening = client
      .send(
        { jsonrpc: '2.0', id: 'listen', method: 'subscriptions/listen', params },
        { signal: stop.signal, onNotification: (notification) => void heard.push(notification) },
      )
      .catch(() => undefined);
    // News of how it has come to stand so may arrive after the subscription, and tell it once more.
    await eventually(async () => expect(heard.length).toBeGreaterThanOrEqual(2));
    expect(heard[0]?.params).toMatchObject({ notifications: { taskIds: [taskId] } });
    expect(heard[1]).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'input_required' },
    });
    await send(client, 'tasks/update', { taskId, inputResponses: { keep: yes, twice: yes } });
    await eventually(async () =>
      expect(heard.at(-1)?.params).toMatchObject({ status: 'completed' }),
    );
    stop.abort();
    await listening;
    const refused = await send(
      client,
      'subscriptions/listen',
      { notifications: { taskIds: ['a'] } },
      {},
    );
    expect(refused).toMatchObject({ code: -32021 });
  });
});

describe('the boot', () => {
  it('stops where @McpTask() is on what is no tool, or on a tool without the module', async () => {
    @Injectable()
    class Lonely {
      @McpTask()
      method(): string {
        return '';
      }
    }
    @Injectable()
    class Served {
      @McpTask()
      @McpTool()
      tool(): string {
        return '';
      }
    }
    @Injectable()
    class Odd {
      @McpTask({ begin: 'at-once', afterMs: 5 })
      @McpTool()
      tool(): string {
        return '';
      }
    }
    const server = { name: 'imports', version: '1.0.0' };
    const boot = async (provider: new () => object, tasks: boolean): Promise<void> => {
      const imports = [McpModule.forRoot({ server }), ...(tasks ? [McpTasksModule.forRoot()] : [])];
      const module = await Test.createTestingModule({ imports, providers: [provider] }).compile();
      const app = module.createNestApplication({ logger: false });
      apps.push(app);
      await app.init();
    };
    await expect(boot(Lonely, true)).rejects.toThrow('it has @McpTask() and is no tool');
    await expect(boot(Served, false)).rejects.toThrow(`does not have the extension ${TASKS}`);
    await expect(boot(Odd, true)).rejects.toThrow('at once, and again after some time');
  });
});
