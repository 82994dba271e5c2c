import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { MCP_CLOCK, McpModule, type McpModuleExtras, type McpModuleOptions } from '@dacapo/mcp';
import {
  InMemoryTaskStore,
  InProcessTaskRunner,
  type McpTaskRunner,
  McpTasksModule,
  type McpTasksModuleOptions,
  type McpTaskStore,
} from '@dacapo/tasks';
import { collect, type LogLine, SECRET } from './test-server.js';

export interface TaskAppOptions extends ModuleMetadata {
  store?: McpTaskStore;
  runner?: McpTaskRunner;
  tasks?: McpTasksModuleOptions;
  mcp?: Partial<McpModuleOptions> & McpModuleExtras;
  /** Epoch milliseconds. */
  now?: () => number;
}

/** An application that has tasks and listens nowhere. */
export interface TaskApp {
  readonly app: INestApplication;
  /** What it has logged. */
  readonly logs: LogLine[];
  /** What went wrong. */
  errors(): readonly string[];
}

const started: INestApplication[] = [];

export async function startTasks(options: TaskAppOptions): Promise<TaskApp> {
  const { store = new InMemoryTaskStore(), runner = new InProcessTaskRunner() } = options;
  const { tasks, mcp, now = Date.now, imports = [], providers = [], controllers = [] } = options;
  const logs: LogLine[] = [];
  const module = await Test.createTestingModule({
    imports: [
      McpModule.forRoot({
        server: { name: 'tasks', version: '1.0.0' },
        replay: { secret: SECRET },
        ...mcp,
      }),
      McpTasksModule.forRoot({
        graceMs: 50,
        ...tasks,
        store: { useFactory: () => store },
        runner: { useFactory: () => runner },
      }),
      ...imports,
    ],
    providers,
    controllers,
  })
    .overrideProvider(MCP_CLOCK)
    .useValue(now)
    .setLogger(collect(logs))
    .compile();
  const app = module.createNestApplication();
  started.push(app);
  await app.init();
  return {
    app,
    logs,
    errors: () => logs.filter(({ level }) => level === 'error').map(({ text }) => text),
  };
}

/** Ends what a case has started. */
export async function closeTaskApps(): Promise<void> {
  await Promise.all(started.splice(0).map((app) => app.close()));
}
