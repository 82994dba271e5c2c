import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import {
  InMemoryTaskStore,
  InProcessTaskRunner,
  McpTask,
  type TaskChange,
  type TaskRecord,
  type TaskTicket,
} from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';
import { Gate } from '../support/gate.js';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, send, until } from '../support/task-client.js';

type Operation = 'create' | 'get' | 'replace';

/** A store that does not answer when it is told not to. */
class Unreliable extends InMemoryTaskStore {
  readonly failing = new Set<Operation>();
  /** Open once somebody wants to create a record. */
  readonly creating = new Gate();
  /** Holds what creates a record. */
  hold: Promise<void> = Promise.resolve();
  readonly created: string[] = [];
  /** Whether a write of it is one that fails. */
  refuses: (record: TaskRecord) => boolean = () => false;

  override async create(record: TaskRecord): Promise<void> {
    this.creating.open();
    await this.hold;
    this.answer('create');
    await super.create(record);
    this.created.push(record.taskId);
  }

  override async get(taskId: string): Promise<TaskRecord | undefined> {
    this.answer('get');
    return super.get(taskId);
  }

  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    this.answer('replace');
    return super.replace(taskId, (record) => {
      const changed = change(record);
      if (this.refuses(changed)) throw new Error('The store does not write');
      return changed;
    });
  }

  private answer(operation: Operation): void {
    if (this.failing.has(operation)) throw new Error(`The store does not ${operation}`);
  }
}

class Unwilling extends InProcessTaskRunner {
  override schedule(_ticket: TaskTicket): Promise<void> {
    return Promise.reject(new Error('The runner does not answer'));
  }
}

let done: string[];
let gate: Gate;

@Injectable()
class StepTools {
  @McpTask()
  @McpTool()
  async atOnce(@McpContext() ctx: McpToolContext): Promise<string> {
    const value = await ctx.step('work', () => done.push('work'));
    done.push(`told ${value}`);
    return 'done';
  }

  @McpTask({ afterMs: 1 })
  @McpTool()
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('first', () => void done.push('first'));
    await gate.opened;
    await ctx.step('second', () => void done.push('second'));
    return 'went on';
  }

  @McpTask({ afterMs: 1 })
  @McpTool()
  async asking(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('first', () => void done.push('first'));
    await gate.opened;
    const sure = await ctx.confirm('Sure?', { key: 'sure' });
    await ctx.step('second', () => void done.push('second'));
    return `sure: ${sure}`;
  }
}

let store: Unreliable;
const providers = [StepTools];
const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };

beforeEach(() => {
  [done, gate, store] = [[], new Gate(), new Unreliable()];
});

afterEach(async () => {
  gate.open();
  await closeTaskApps();
});

describe('a call that lasts and cannot become a task', () => {
  it('is answered when it ends, and the log says why, once', async () => {
    const { app, errors } = await startTasks({ providers, store });
    store.failing.add('create');
    const answer = call(McpInProcess.connect(app), 'slow');
    await store.creating.opened;
    gate.open();
    expect(await answer).toMatchObject({ resultType: 'complete', content: [{ text: 'went on' }] });
    expect(done).toEqual(['first', 'second']);
    expect(errors()).toEqual([expect.stringContaining('The store does not create')]);
  });

  it('is no task where the runner does not take it, and leaves no record', async () => {
    const { app, errors } = await startTasks({ providers, store, runner: new Unwilling() });
    const answer = call(McpInProcess.connect(app), 'slow');
    await store.creating.opened;
    gate.open();
    expect(await answer).toMatchObject({ resultType: 'complete', content: [{ text: 'went on' }] });
    const [taskId = ''] = store.created;
    expect(await store.get(taskId)).toBeUndefined();
    expect(errors()).toEqual([expect.stringContaining('The runner does not answer')]);
  });

  it.each([
    ['before it was known that there is no task', true],
    ['afterwards', false],
  ])('asks on the wire what it asks %s, and does no step again', async (_, isEarly) => {
    const { app, errors } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    const creating = new Gate();
    store.hold = creating.opened;
    store.failing.add('create');
    const answer = call(client, 'asking');
    await store.creating.opened;
    if (isEarly) {
      gate.open();
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      creating.open();
    } else {
      creating.open();
      await eventually(async () => expect(errors()).toHaveLength(1));
      gate.open();
    }
    const asked = await answer;
    expect(asked).toMatchObject({ resultType: 'input_required' });
    store.failing.clear();
    const { requestState } = asked;
    const retry = { name: 'asking', requestState, inputResponses };
    // A client that knows no tasks, so that the retry is none, however long it takes.
    const retried = await send(client, 'tools/call', retry, { elicitation: {} });
    expect(retried).toMatchObject({ content: [{ text: 'sure: true' }] });
    expect(done).toEqual(['first', 'second']);
    expect(errors()).toHaveLength(1);
  });
});

describe('a store that does not answer', () => {
  it('has a call refused that was to be a task, before any work', async () => {
    const { app, errors } = await startTasks({ providers, store });
    store.failing.add('create');
    const answer = await call(McpInProcess.connect(app), 'atOnce');
    expect(answer).toMatchObject({ code: -32603 });
    expect(JSON.stringify(answer)).not.toContain('does not create');
    expect(done).toEqual([]);
    expect(errors()).toEqual([expect.stringContaining('The store does not create')]);
  });

  it('has a call refused where the runner does not take it, and leaves no record', async () => {
    const { app } = await startTasks({ providers, store, runner: new Unwilling() });
    expect(await call(McpInProcess.connect(app), 'atOnce')).toMatchObject({ code: -32603 });
    const [taskId = ''] = store.created;
    expect(await store.get(taskId)).toBeUndefined();
  });

  it('has polls refused until it answers again', async () => {
    const { app, errors } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'atOnce');
    await until(client, taskId, 'completed');
    store.failing.add('get');
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ code: -32603 });
    expect(errors()).toEqual([expect.stringContaining('The store does not get')]);
    store.failing.clear();
    expect(await send(client, 'tasks/get', { taskId })).toMatchObject({ status: 'completed' });
  });

  it('has a round played again whose step could not be kept, and of which nobody was told', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    store.refuses = ({ entries }) => entries.length > 0 && done.length === 1;
    const { taskId } = await call(client, 'atOnce');
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
    expect(done).toEqual(['work', 'work', 'told 2']);
  });

  it('has a round played again whose end could not be kept, without its steps', async () => {
    const { app } = await startTasks({ providers, store });
    const client = McpInProcess.connect(app);
    let refused = 0;
    store.refuses = ({ status }) => status === 'completed' && (refused += 1) === 1;
    const { taskId } = await call(client, 'atOnce');
    await until(client, taskId, 'completed');
    expect(done).toEqual(['work', 'told 1', 'told 1']);
  });
});
