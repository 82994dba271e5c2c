import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpTask } from '@dacapo/tasks';
import { accept, CallBecameTaskException, McpTestClient } from '@dacapo/testing';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { CAPABLE } from '../support/task-client.js';

@Injectable()
class ImportTools {
  @McpTask()
  @McpTool()
  async importAll(@McpContext() ctx: McpToolContext): Promise<string> {
    return `sure: ${await ctx.confirm('Sure?', { key: 'sure' })}`;
  }
}

let app: INestApplicationContext;

beforeEach(async () => {
  ({ app } = await startTasks({ providers: [ImportTools] }));
});

afterEach(closeTaskApps);

describe('A call of the test client', () => {
  const answers = { sure: accept({ confirmed: true }) };

  it('is a plain one as long as the client knows no tasks', async () => {
    const { text } = await McpTestClient.connect(app).callTool('importAll', {}, answers);
    expect(text).toBe('sure: true');
  });

  it.each([
    ['with answers', answers],
    ['without any', {}],
  ])('says that it became a task, %s', async (_, given) => {
    const client = McpTestClient.connect(app, { capabilities: CAPABLE });
    const call = client.callTool('importAll', {}, given);
    await expect(call).rejects.toBeInstanceOf(CallBecameTaskException);
    await expect(call).rejects.toThrow("request('tasks/get', { taskId })");
    await expect(call).rejects.toMatchObject({
      task: { resultType: 'task', status: 'working' },
    });
  });
});
