import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { BullTaskRunner, McpRedisModule, RedisChangeBus, RedisTaskStore } from '@dacapo/redis';
import { McpTask, McpTasksModule } from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';
import { describeWithRedis, openProxy, somePrefix } from '../support/redis.js';
import { call, send, until } from '../support/task-client.js';
import type { TcpProxy } from '../support/tcp-proxy.js';
import { startServer, type TestServer } from '../support/test-server.js';

const TIMEOUT_MS = 500;
const YES = { sure: { action: 'accept', content: { confirmed: true } } };

let steps = 0;
let gate: Promise<void>;

@Injectable()
class ImportTools {
  @McpTask()
  @McpTool()
  async importAll(@McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.confirm('Sure?', { key: 'sure' });
    await ctx.step('write', () => void (steps += 1));
    return String(sure);
  }

  @McpTask({ begin: 'on-detach', afterMs: 1 })
  @McpTool()
  async slow(): Promise<string> {
    await gate;
    return 'slow and done';
  }
}

const outages: [string, (proxy: TcpProxy) => Promise<void> | void][] = [
  ['refuses connections', (proxy) => proxy.cut()],
  ['says nothing', (proxy) => proxy.mute()],
];

describeWithRedis.each(outages)('Tasks whose Redis %s', (_name, fail) => {
  let proxy: TcpProxy;
  let server: TestServer;
  let client: ReturnType<typeof McpInProcess.connect>;

  beforeEach(async () => {
    steps = 0;
    const way = await openProxy();
    proxy = way.proxy;
    server = await startServer({
      imports: [
        McpRedisModule.forRoot({
          url: way.url,
          prefix: somePrefix(),
          timeoutMs: TIMEOUT_MS,
          runner: { retryMs: 10 },
        }),
        McpTasksModule.forRoot({
          graceMs: 1_000,
          store: { useExisting: RedisTaskStore },
          runner: { useExisting: BullTaskRunner },
        }),
      ],
      providers: [ImportTools],
      mcp: { changeBus: { useExisting: RedisChangeBus } },
    });
    client = McpInProcess.connect(server.app);
  });
  afterEach(() => server.close());

  it('are refused without a word of where it is, and go on when it is back', async () => {
    const { taskId } = await call(client, 'importAll');
    await until(client, taskId, 'input_required');
    await fail(proxy);
    const refused = await Promise.all([
      call(client, 'importAll'),
      send(client, 'tasks/get', { taskId }),
      send(client, 'tasks/update', { taskId, inputResponses: YES }),
      send(client, 'tasks/cancel', { taskId }),
      send(client, 'subscriptions/listen', { notifications: { taskIds: [taskId] } }),
    ]);
    for (const error of refused) expect(error).toEqual({ code: -32603, message: 'Internal error' });
    expect(server.logs.map(({ text }) => text).join('\n')).toContain(
      `Redis at 127.0.0.1:${proxy.port} `,
    );
    await proxy.restore();
    // Whether the answer has been kept is unknown: it is given once more.
    await eventually(async () => {
      expect(await send(client, 'tasks/update', { taskId, inputResponses: YES })).toMatchObject({
        resultType: 'complete',
      });
    });
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'true' }] });
    expect(steps).toBe(1);
  });

  it('are plain calls where they could not be kept', async () => {
    let open: () => void = () => undefined;
    gate = new Promise<void>((resolve) => (open = resolve));
    await fail(proxy);
    const answer = call(client, 'slow');
    await eventually(async () => {
      expect(
        server.logs.some(({ text }) => text.includes(`Redis at 127.0.0.1:${proxy.port} `)),
      ).toBe(true);
    });
    open();
    expect(await answer).toMatchObject({ content: [{ text: 'slow and done' }] });
  });
});
