import { Controller, Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { McpContext, type McpExchange, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpTask } from '@dacapo/tasks';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

let made: string[];

@Injectable({ scope: Scope.REQUEST })
class ScopedTools {
  constructor(@Inject(REQUEST) private readonly exchange: McpExchange) {
    made.push(exchange.transport);
  }

  @McpTask()
  @McpTool()
  async scoped(@McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.confirm('Sure?', { key: 'sure' });
    return `${this.exchange.transport}: ${sure}`;
  }
}

@Controller('books')
class Books {
  @McpTask()
  @McpTool()
  controlled(): string {
    return 'from a controller';
  }
}

const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };

beforeEach(() => {
  made = [];
});

afterEach(closeTaskApps);

describe('a task of a request-scoped provider', () => {
  it('has an instance of its own in each round, whose request is the round', async () => {
    const { app } = await startTasks({ providers: [ScopedTools] });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'scoped');
    await until(client, taskId, 'input_required');
    await send(client, 'tasks/update', { taskId, inputResponses });
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'task: true' }] });
    expect(made).toEqual(['in-process', 'task', 'task']);
  });
});

describe('a task of a controller', () => {
  it('is played like any other', async () => {
    const { app } = await startTasks({ controllers: [Books] });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'controlled');
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'from a controller' }] });
  });
});
