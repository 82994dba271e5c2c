import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import {
  InvalidParamsException,
  McpContext,
  McpInProcess,
  McpModule,
  McpTool,
  McpToolContext,
  McpToolException,
} from '@dacapo/mcp';
import { InProcessTaskRunner, McpTask, McpTasksModule, type TaskTicket } from '@dacapo/tasks';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

@Injectable()
class FailingTools {
  @McpTask()
  @McpTool()
  shown(): never {
    throw new McpToolException('The account is empty');
  }

  @McpTask()
  @McpTool()
  ofTheProtocol(): never {
    throw new InvalidParamsException('No such account');
  }

  @McpTask()
  @McpTool()
  withOddData(): never {
    throw new InvalidParamsException('Too much', { cents: 10n });
  }

  @McpTask()
  @McpTool()
  async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    return String(await ctx.confirm('Sure?', { key: 'sure' }));
  }
}

/** Takes no jobs while it is tired. */
class Tiring extends InProcessTaskRunner {
  isTired = false;

  override schedule(ticket: TaskTicket, delayMs?: number): Promise<void> {
    return this.isTired
      ? Promise.reject(new Error('The runner does not answer'))
      : super.schedule(ticket, delayMs);
  }
}

const providers = [FailingTools];
const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };

afterEach(closeTaskApps);

describe('a task', () => {
  it('is completed by an error that its tool shows', async () => {
    const { app } = await startTasks({ providers });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'shown');
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ isError: true, content: [{ text: 'The account is empty' }] });
  });

  it('fails with an error of the protocol', async () => {
    const { app } = await startTasks({ providers });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'ofTheProtocol');
    const { error, statusMessage } = await until(client, taskId, 'failed');
    expect(error).toMatchObject({ code: -32602, message: 'No such account' });
    expect(statusMessage).toBe('No such account');
  });

  it('fails without data that could not be kept, rather than to be played for ever', async () => {
    const { app, errors } = await startTasks({ providers });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'withOddData');
    const { error } = await until(client, taskId, 'failed');
    expect(error).toEqual({ code: -32602, message: 'Too much' });
    expect(errors()).toEqual([]);
  });

  it('keeps answers that the runner does not hear of, and is woken by a poll', async () => {
    const runner = new Tiring();
    const { app, errors } = await startTasks({ providers, runner });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'asks');
    await until(client, taskId, 'input_required');
    runner.isTired = true;
    const complete = { resultType: 'complete' };
    expect(await send(client, 'tasks/update', { taskId, inputResponses })).toMatchObject(complete);
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ status: 'working' });
    expect(errors()).toHaveLength(2);
    runner.isTired = false;
    await until(client, taskId, 'completed');
  });

  it('lives as long as options say that come from elsewhere', async () => {
    @Module({ providers: [{ provide: 'ttl', useValue: 5_000 }], exports: ['ttl'] })
    class Config {}
    const module = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({ server: { name: 'tasks', version: '1.0.0' } }),
        McpTasksModule.forRootAsync({
          imports: [Config],
          inject: ['ttl'],
          useFactory: (ttlMs: number) => ({ ttlMs, pollIntervalMs: 7 }),
        }),
      ],
      providers,
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.init();
    const created = await call(McpInProcess.connect(app), 'asks');
    expect(created).toMatchObject({ ttlMs: 5_000, pollIntervalMs: 7 });
    await app.close();
  });
});
