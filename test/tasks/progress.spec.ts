import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { InMemoryTaskStore, McpTask, type TaskChange, type TaskRecord } from '@dacapo/tasks';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, until } from '../support/task-client.js';

/** Writes down which messages are written. */
class Witness extends InMemoryTaskStore {
  readonly messages: string[] = [];

  protected override replace(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    return super.replace(taskId, (record) => {
      const changed = change(record);
      const { statusMessage } = changed;
      if (statusMessage !== undefined && statusMessage !== record.statusMessage) {
        this.messages.push(statusMessage);
      }
      return changed;
    });
  }
}

@Injectable()
class Chatty {
  @McpTask()
  @McpTool()
  async chatty(@McpContext() ctx: McpToolContext): Promise<string> {
    const progress = ctx.absoluteProgress(50);
    for (let row = 1; row <= 50; row += 1) progress.to(row, `row ${row}`);
    return String(await ctx.confirm('Sure?'));
  }
}

afterEach(closeTaskApps);

describe('progress of a task', () => {
  it('is written down at once, and of what follows within a second the last', async () => {
    const store = new Witness();
    const { app } = await startTasks({ providers: [Chatty], store });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'chatty');
    const { statusMessage } = await until(client, taskId, 'input_required');
    expect(statusMessage).toBe('50/50: row 50');
    expect(store.messages).toEqual(['1/50: row 1', '50/50: row 50']);
  });
});
