import { Injectable } from '@nestjs/common';
import { McpContext, McpInProcess, McpTool, McpToolContext } from '@dacapo/mcp';
import {
  InMemoryTaskStore,
  InProcessTaskRunner,
  McpTask,
  McpTaskRunner,
  type PlayTask,
  type TaskTicket,
} from '@dacapo/tasks';
import { Gate } from '../support/gate.js';
import { closeTaskApps, startTasks } from '../support/task-app.js';
import { call, until } from '../support/task-client.js';

let done: string[];
let players: number;
let dead: Gate;
let ended: Gate;

@Injectable()
class SlowTools {
  @McpTask({ afterMs: 1 })
  @McpTool()
  async slow(@McpContext() ctx: McpToolContext): Promise<string> {
    const player = (players += 1);
    try {
      await ctx.step('first', () => void done.push(`first of ${player}`));
      if (player === 1) await dead.opened;
      const by = await ctx.step('second', () => {
        done.push(`second of ${player}`);
        return player;
      });
      done.push(`told of ${by}`);
      return `played by ${by}`;
    } finally {
      if (player === 1) ended.open();
    }
  }
}

/** One of the instances that share a runner: it plays nothing itself, and tells it nothing once it has died. */
class Instance extends McpTaskRunner {
  readonly tickets: TaskTicket[] = [];
  isDead = false;

  constructor(private readonly shared: McpTaskRunner) {
    super();
  }

  override start(_server: string, _play: PlayTask): void {
    // Jobs are played by the other one.
  }

  override async schedule(ticket: TaskTicket, delayMs?: number): Promise<void> {
    this.tickets.push(ticket);
    if (!this.isDead) await this.shared.schedule(ticket, delayMs);
  }

  override async postpone(ticket: TaskTicket, delayMs: number): Promise<void> {
    if (!this.isDead) await this.shared.postpone(ticket, delayMs);
  }

  override async withdraw(ticket: TaskTicket): Promise<void> {
    if (!this.isDead) await this.shared.withdraw(ticket);
  }

  override async stop(): Promise<void> {
    // There is nothing to stop.
  }
}

beforeEach(() => {
  [done, players, dead, ended] = [[], 0, new Gate(), new Gate()];
});

afterEach(async () => {
  dead.open();
  await closeTaskApps();
});

/** A task whose instance has died, and a client of another one. */
async function leaveTask() {
  const store = new InMemoryTaskStore();
  const shared = new InProcessTaskRunner();
  const dying = new Instance(shared);
  const first = await startTasks({ providers: [SlowTools], store, runner: dying });
  const second = await startTasks({ providers: [SlowTools], store, runner: shared });
  const { taskId } = await call(McpInProcess.connect(first.app), 'slow');
  dying.isDead = true;
  for (const ticket of dying.tickets) await shared.postpone(ticket, 0);
  const client = McpInProcess.connect(second.app);
  return { client, taskId, first };
}

describe('a task of a call that lasted, whose instance has died', () => {
  it('is played on by another one, which does no step again', async () => {
    const { client, taskId } = await leaveTask();
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'played by 2' }] });
    expect(done).toEqual(['first of 1', 'second of 2', 'told of 2']);
  });

  it('takes nothing any more of what the dead one writes', async () => {
    const { client, taskId, first } = await leaveTask();
    const completed = await until(client, taskId, 'completed');
    dead.open();
    await ended.opened;
    await first.app.close();
    expect(done).not.toContain('told of 1');
    expect(await until(client, taskId, 'completed')).toEqual(completed);
  });

  it('is left to the one that plays it as long as that gives a sign of life', async () => {
    const shared = new InProcessTaskRunner();
    const { app } = await startTasks({ providers: [SlowTools], runner: shared });
    const client = McpInProcess.connect(app);
    const { taskId } = await call(client, 'slow');
    dead.open();
    const { result } = await until(client, taskId, 'completed');
    expect(result).toMatchObject({ content: [{ text: 'played by 1' }] });
    expect(players).toBe(1);
  });
});
