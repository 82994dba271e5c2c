import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import { InMemoryTaskStore, McpTask, type TaskRecord } from '@dacapo/tasks';
import { Gate } from '../support/gate.js';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

let done: string[];
let gate: Gate;

@Injectable()
class Bank {
  @McpTask({ begin: 'on-detach' })
  @McpTool({ once: true })
  async pay(@McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.confirm('Pay?', { key: 'sure' });
    done.push('asked');
    await ctx.detach();
    done.push('paid');
    return `paid: ${sure}`;
  }

  @McpTask({ afterMs: 1 })
  @McpTool({ once: true })
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.confirm('Pay?', { key: 'sure' });
    await gate.opened;
    done.push('paid');
    return `paid: ${sure}`;
  }

  @McpTask()
  @McpTool({ once: true })
  async atOnce(): Promise<string> {
    done.push('paid');
    return 'paid';
  }
}

class Witness extends InMemoryTaskStore {
  created = 0;

  override create(record: TaskRecord): Promise<void> {
    this.created += 1;
    return super.create(record);
  }
}

const providers = [Bank];
const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };
let store: Witness;

beforeEach(() => {
  [done, gate, store] = [[], new Gate(), new Witness()];
});

afterEach(async () => {
  gate.open();
  await closeTaskApps();
});

describe('a tool whose rounds are played once', () => {
  it('detaches once: a duplicate gets the same task', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    const { requestState } = await call(client, 'pay');
    const created = await call(client, 'pay', { requestState, inputResponses });
    expect(created).toMatchObject({ resultType: 'task' });
    await until(client, created['taskId'], 'completed');
    expect(await call(client, 'pay', { requestState, inputResponses })).toEqual(created);
    expect(store.created).toBe(1);
    expect(done).toEqual(['asked', 'asked', 'paid']);
  });

  it('has other answers to a round refused that has become a task', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    const { requestState } = await call(client, 'pay');
    await call(client, 'pay', { requestState, inputResponses });
    const no = { sure: { action: 'decline' } };
    const refused = await call(client, 'pay', { requestState, inputResponses: no });
    expect(refused).toMatchObject({ data: { reason: 'state_consumed' } });
    expect(store.created).toBe(1);
  });

  it('becomes one task when it lasts, which a duplicate gets too', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    // A client that knows no tasks, so that the first round is none, however long it takes.
    const knowsNone = { elicitation: {} };
    const { requestState } = await send(client, 'tools/call', { name: 'slow' }, knowsNone);
    const created = await call(client, 'slow', { requestState, inputResponses });
    expect(created).toMatchObject({ resultType: 'task' });
    expect(await call(client, 'slow', { requestState, inputResponses })).toEqual(created);
    gate.open();
    await until(client, created['taskId'], 'completed');
    expect(done).toEqual(['paid']);
  });

  it('is a task from the start like any other', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'atOnce');
    await until(client, taskId, 'completed');
    expect(done).toEqual(['paid']);
  });
});
