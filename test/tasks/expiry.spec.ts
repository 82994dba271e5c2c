import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { InMemoryTaskStore, McpTask } from '@dacapo/tasks';
import { FakeClock } from '@dacapo/testing';
import { eventually } from '@dacapo/testing/tasks';
import { Gate } from '../support/gate.js';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

let aborted: Gate;
let reason: unknown;

@Injectable()
class ShortLived {
  @McpTask({ ttlMs: 300 })
  @McpTool()
  endless(@McpContext() { signal }: McpToolContext): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        reject(signal.reason as Error);
        aborted.open();
      });
    });
  }

  @McpTask({ ttlMs: 60_000 })
  @McpTool()
  async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    return String(await ctx.confirm('Sure?', { key: 'sure' }));
  }
}

beforeEach(() => {
  aborted = new Gate();
});

afterEach(closeTaskApps);

describe('a task that expires', () => {
  it('ends the round that is running, and is unknown from then on', async () => {
    const { app, errors } = await startTasks({ providers: [ShortLived] });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'endless');
    await aborted.opened;
    expect(reason).toMatchObject({ name: 'AbortError', message: 'The task has expired.' });
    const unknown = await send(client, 'tasks/get', { taskId: 'x' });
    expect(unknown).toMatchObject({ code: -32602 });
    await eventually(async () => {
      expect(await send(client, 'tasks/get', { taskId })).toEqual(unknown);
    });
    expect(errors()).toEqual([]);
  });

  it('takes no answers and cannot be cancelled, as if it had never been', async () => {
    const clock = new FakeClock();
    const { now } = clock;
    const store = new InMemoryTaskStore(now);
    const { app } = await startTasks({ providers: [ShortLived], store, now });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'asks');
    await until(client, taskId, 'input_required');
    clock.advance(59_999);
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ ttlMs: 60_000 });
    clock.advance(1);
    const unknown = await send(client, 'tasks/get', { taskId: 'x' });
    const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      expect(await send(client, method, { taskId, inputResponses })).toEqual(unknown);
    }
  });
});
