import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpTask } from '@dacapo/tasks';
import { Gate } from '../support/gate.js';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send } from '../support/task-client.js';

let running: Gate;
let ended: Gate;

/** A step that ends when it is told to, and not by throwing. */
async function late(ctx: McpToolContext): Promise<string> {
  const { signal } = ctx;
  try {
    await ctx.step('work', async () => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      running.open();
      await aborted;
    });
  } finally {
    ended.open();
  }
  return 'done';
}

@Injectable()
class LateTools {
  @McpTask()
  @McpTool()
  atOnce(@McpContext() ctx: McpToolContext): Promise<string> {
    return late(ctx);
  }

  @McpTask({ afterMs: 1 })
  @McpTool()
  afterwards(@McpContext() ctx: McpToolContext): Promise<string> {
    return late(ctx);
  }

  @McpTask({ ttlMs: 50 })
  @McpTool()
  expiring(@McpContext() ctx: McpToolContext): Promise<string> {
    return late(ctx);
  }
}

beforeEach(() => {
  [running, ended] = [new Gate(), new Gate()];
});

afterEach(closeTaskApps);

describe('a step that ends after its task is no failure of the tool', () => {
  it.each(['atOnce', 'afterwards'])('when %s was cancelled', async (tool) => {
    const { app, errors } = await startTasks({ providers: [LateTools] });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, tool);
    await running.opened;
    await send(client, 'tasks/cancel', { taskId });
    await ended.opened;
    await closeTaskApps();
    expect(errors()).toEqual([]);
  });

  it('when it has expired', async () => {
    const { app, errors } = await startTasks({ providers: [LateTools] });
    await call(McpInProcess.connect(app), 'expiring');
    await ended.opened;
    await closeTaskApps();
    expect(errors()).toEqual([]);
  });

  it('when the application shuts down', async () => {
    const { app, errors } = await startTasks({ providers: [LateTools] });
    await call(McpInProcess.connect(app), 'atOnce');
    await running.opened;
    await closeTaskApps();
    await ended.opened;
    await new Promise(setImmediate);
    expect(errors()).toEqual([]);
  });
});
