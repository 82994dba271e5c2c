import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { McpContext, McpInProcess, McpModule, McpTool, McpToolContext } from '@dacapo/mcp';
import { BullTaskRunner, McpRedisModule, RedisChangeBus, RedisTaskStore } from '@dacapo/redis';
import { McpTask, McpTasksModule } from '@dacapo/tasks';
import { describeWithRedis, redisUrl, somePrefix } from '../support/redis.js';
import { call, send, until } from '../support/task-client.js';

/** How often each step was done, by conversation. */
const steps = new Map<string, number>();
const aborted = new Set<string>();
const begun = new Map<string, () => void>();
let players = 0;

function count(ctx: McpToolContext, step: string): void {
  const key = `${ctx.conversationId} ${step}`;
  steps.set(key, (steps.get(key) ?? 0) + 1);
}

@Injectable()
class ImportTools {
  @McpTask()
  @McpTool()
  async importAll(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('read', () => count(ctx, 'read'));
    const sure = await ctx.confirm('Sure?', { key: 'sure' });
    await ctx.step('write', () => count(ctx, 'write'));
    return String(sure);
  }

  @McpTask()
  @McpTool()
  async endless(@McpContext() ctx: McpToolContext): Promise<never> {
    begun.get('endless')?.();
    return new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => {
        aborted.add('endless');
        reject(ctx.signal.reason as Error);
      });
    });
  }

  @McpTask({ afterMs: 1 })
  @McpTool()
  async lasting(@McpContext() ctx: McpToolContext): Promise<string> {
    const player = (players += 1);
    if (player > 1) return `played by ${player}`;
    return new Promise((_, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason as Error));
    });
  }
}

async function start(prefix: string): Promise<INestApplicationContext> {
  const module = await Test.createTestingModule({
    imports: [
      McpRedisModule.forRoot({ url: redisUrl ?? '', prefix }),
      McpModule.forRoot({
        server: { name: 'imports', version: '1.0.0' },
        changeBus: { useExisting: RedisChangeBus },
      }),
      McpTasksModule.forRoot({
        graceMs: 500,
        store: { useExisting: RedisTaskStore },
        runner: { useExisting: BullTaskRunner },
      }),
    ],
    providers: [ImportTools],
  }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.init();
  return app;
}

const YES = { sure: { action: 'accept', content: { confirmed: true } } };
const TASKS = 20;

describeWithRedis('Tasks of two instances that share Redis', () => {
  it('are finished by one when the other stops, and each step is done once', async () => {
    const prefix = somePrefix();
    const apps = [await start(prefix), await start(prefix)] as const;
    const [first, second] = apps.map((app) => McpInProcess.connect(app)) as [
      ReturnType<typeof McpInProcess.connect>,
      ReturnType<typeof McpInProcess.connect>,
    ];
    const created = await Promise.all(
      Array.from({ length: TASKS }, (_, index) =>
        call(index % 2 === 0 ? first : second, 'importAll'),
      ),
    );
    const ids = created.map(({ taskId }) => taskId);
    await until(second, ids[0], 'input_required');
    await apps[0].close();
    for (const taskId of ids) {
      await until(second, taskId, 'input_required');
      await send(second, 'tasks/update', { taskId, inputResponses: YES });
    }
    for (const taskId of ids) {
      const { result } = await until(second, taskId, 'completed');
      expect(result).toMatchObject({ content: [{ text: 'true' }] });
    }
    expect([...steps.values()]).toEqual(Array.from({ length: 2 * TASKS }, () => 1));
    await apps[1].close();
  });

  it('end their work when they are cancelled on another instance', async () => {
    const prefix = somePrefix();
    const worker = await start(prefix);
    const isBegun = new Promise<void>((resolve) => begun.set('endless', resolve));
    const { taskId } = await call(McpInProcess.connect(worker), 'endless');
    await isBegun;
    const other = await start(prefix);
    const client = McpInProcess.connect(other);
    await send(client, 'tasks/cancel', { taskId });
    await until(client, taskId, 'cancelled');
    await worker.close();
    expect([...aborted]).toEqual(['endless']);
    await other.close();
  });

  it('that were calls which lasted are played on at once when their instance stops', async () => {
    const prefix = somePrefix();
    const first = await start(prefix);
    const second = await start(prefix);
    const { taskId } = await call(McpInProcess.connect(first), 'lasting');
    await first.close();
    const { result } = await until(McpInProcess.connect(second), taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'played by 2' }] });
    await second.close();
  });
});
