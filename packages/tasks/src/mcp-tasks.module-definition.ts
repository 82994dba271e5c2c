import { type Abstract, ConfigurableModuleBuilder, type Provider } from '@nestjs/common';
import { MCP_DEFAULT_SERVER, type McpSeamProvider } from '@dacapo/mcp';
import type {
  McpTasksModuleExtras,
  McpTasksModuleOptions,
} from './mcp-tasks-module-options.interface.js';
import { InProcessTaskRunner } from './runner/in-process-task.runner.js';
import { McpTaskRunner } from './runner/mcp-task.runner.js';
import { InMemoryTaskStore } from './store/in-memory-task.store.js';
import { McpTaskStore } from './store/mcp-task.store.js';

/** Injection token of the `name` of the server. */
export const TASKS_SERVER = Symbol('dacapo:tasks-server');

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<McpTasksModuleOptions>({ moduleName: 'McpTasks' })
    .setClassMethodName('forRoot')
    .setExtras<McpTasksModuleExtras>(
      { server: undefined, store: undefined, runner: undefined },
      (definition, { server = MCP_DEFAULT_SERVER, store, runner }) => ({
        ...definition,
        imports: [
          ...(definition.imports ?? []),
          ...[store, runner].flatMap((source) => source?.imports ?? []),
        ],
        providers: [
          ...(definition.providers ?? []),
          { provide: TASKS_SERVER, useValue: server },
          seam(McpTaskStore, store ?? { useFactory: () => new InMemoryTaskStore() }),
          seam(McpTaskRunner, runner ?? { useClass: InProcessTaskRunner }),
        ],
      }),
    )
    .build();

function seam<T>(provide: Abstract<T>, source: McpSeamProvider<T>): Provider {
  const { imports: _imports, ...provider } = source;
  return { provide, ...provider } as Provider;
}
