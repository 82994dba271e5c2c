import { Injectable } from '@nestjs/common';
import { McpModule, McpTool } from '@dacapo/mcp';
import { Test } from '@nestjs/testing';
import {
  InMemoryTaskStore,
  InProcessTaskRunner,
  McpTask,
  McpTaskRunner,
  McpTasksModule,
  type McpTasksModuleExtras,
  McpTaskStore,
} from '@dacapo/tasks';
import { collect, type LogLine } from '../support/test-server.js';

let logs: LogLine[];

@Injectable()
class Tools {
  @McpTask()
  @McpTool()
  tool(): string {
    return '';
  }
}

/** Stands for what instances share. */
class SharedStore extends McpTaskStore {
  private readonly tasks = new InMemoryTaskStore();
  override create = this.tasks.create.bind(this.tasks);
  override get = this.tasks.get.bind(this.tasks);
  override delete = this.tasks.delete.bind(this.tasks);
  protected override replace = this.tasks.update.bind(this.tasks);
}

class SharedRunner extends McpTaskRunner {
  private readonly jobs = new InProcessTaskRunner();
  override start = this.jobs.start.bind(this.jobs);
  override schedule = this.jobs.schedule.bind(this.jobs);
  override postpone = this.jobs.postpone.bind(this.jobs);
  override withdraw = this.jobs.withdraw.bind(this.jobs);
  override stop = this.jobs.stop.bind(this.jobs);
}

async function boot(...modules: McpTasksModuleExtras[]): Promise<void> {
  const server = { name: 'imports', version: '1.0.0' };
  const module = await Test.createTestingModule({
    imports: [
      McpModule.forRoot({ server }),
      ...modules.map((rest) => McpTasksModule.forRoot(rest)),
    ],
    providers: [Tools],
  })
    .setLogger(collect(logs))
    .compile();
  const app = module.createNestApplication();
  try {
    await app.init();
  } finally {
    await app.close();
  }
}

const warnings = (): string[] =>
  logs
    .filter(({ level, text }) => level === 'warn' && text.endsWith(' McpTasksModule'))
    .map(({ text }) => text);

beforeEach(() => {
  logs = [];
});

describe('the boot with tasks', () => {
  it('says so when they are kept in the process', async () => {
    await boot({});
    expect(warnings()).toContainEqual(expect.stringContaining('Tasks are kept in this process'));
  });

  it('says so when instances share one of store and runner, and not the other', async () => {
    await boot({ store: { useClass: SharedStore } });
    expect(warnings()).toEqual([
      expect.stringMatching(/^Rounds of tasks are played in this process.* Give .* a runner /),
    ]);
    logs = [];
    await boot({ runner: { useClass: SharedRunner } });
    expect(warnings()).toEqual([
      expect.stringMatching(/^Tasks are kept in this process.* Give .* a store /),
    ]);
    logs = [];
    await boot({ store: { useClass: SharedStore }, runner: { useClass: SharedRunner } });
    expect(warnings()).toEqual([]);
  });

  it('stops where their server is not there', async () => {
    await expect(boot({ server: 'admin' })).rejects.toThrow(
      'for the server "admin", and the application has no such server. ' +
        'Give its module the name of one that is there: "default".',
    );
    const module = await Test.createTestingModule({
      imports: [McpTasksModule.forRoot()],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    await expect(app.init()).rejects.toThrow(
      'McpTasksModule option server is "default", and the application has no such server',
    );
  });

  it('stops where a server has them twice', async () => {
    await expect(
      boot({}, { store: { useFactory: () => new InMemoryTaskStore() } }),
    ).rejects.toThrow('has the extension io.modelcontextprotocol/tasks twice for one server');
  });
});
