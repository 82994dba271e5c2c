import { Injectable } from '@nestjs/common';
import { McpInProcess, McpModule, McpServer, McpTool } from '@dacapo/mcp';
import { InMemoryTaskStore, InProcessTaskRunner, McpTask, McpTasksModule } from '@dacapo/tasks';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, TASKS, until } from '../support/task-client.js';

@Injectable()
class PublicTools {
  @McpTask()
  @McpTool()
  work(): string {
    return 'of the public';
  }
}

@Injectable()
@McpServer('admin')
class AdminTools {
  @McpTask()
  @McpTool()
  work(): string {
    return 'of the admin';
  }
}

const admin = McpModule.forRoot({
  name: 'admin',
  path: '/admin',
  server: { name: 'admin', version: '1.0.0' },
});
const [store, runner] = [new InMemoryTaskStore(), new InProcessTaskRunner()];
const adminTasks = McpTasksModule.forRoot({
  server: 'admin',
  store: { useFactory: () => store },
  runner: { useFactory: () => runner },
});

afterEach(closeTaskApps);

describe('tasks of several servers', () => {
  it('are known to their server only, though the servers share store and runner', async () => {
    const { app } = await startTasks({
      imports: [admin, adminTasks],
      providers: [PublicTools, AdminTools],
      store,
      runner,
    });
    const clients = [
      [McpInProcess.connect(app), 'of the public'],
      [McpInProcess.connect(app, { server: 'admin' }), 'of the admin'],
    ] as const;
    const ids: unknown[] = [];
    for (const [client, text] of clients) {
      const { taskId } = await call(client, 'work');
      const { result } = await until(client, taskId, 'completed');
      expect(result).toMatchObject({ content: [{ text }] });
      ids.push(taskId);
    }
    const [[here], [there]] = clients;
    for (const method of ['tasks/get', 'tasks/cancel']) {
      const unknown = await send(here, method, { taskId: 'x' });
      expect(unknown).toMatchObject({ code: -32602 });
      expect(await send(here, method, { taskId: ids[1] })).toEqual(unknown);
      expect(await send(there, method, { taskId: ids[0] })).toEqual(unknown);
    }
  });

  it('are those of the servers that have the module', async () => {
    const { app } = await startTasks({ imports: [admin], providers: [PublicTools] });
    const there = McpInProcess.connect(app, { server: 'admin' });
    const discovered = await send(there, 'server/discover', {});
    expect(discovered).not.toHaveProperty(['capabilities', 'extensions', TASKS]);
    expect(await send(there, 'tasks/get', { taskId: 'x' })).toMatchObject({ code: -32601 });
    const here = McpInProcess.connect(app);
    expect(await send(here, 'server/discover', {})).toHaveProperty(
      ['capabilities', 'extensions', TASKS],
      {},
    );
  });
});
