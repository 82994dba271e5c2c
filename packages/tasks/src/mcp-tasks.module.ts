import { type DynamicModule, Module } from '@nestjs/common';
import { McpTasksExtension } from './mcp-tasks.extension.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
  TASKS_SERVER,
} from './mcp-tasks.module-definition.js';
import {
  type McpTasksModuleOptions,
  resolveTasksOptions,
} from './mcp-tasks-module-options.interface.js';
import { McpTaskRunner } from './runner/mcp-task.runner.js';
import { McpTaskStore } from './store/mcp-task.store.js';

/**
 * Lets tools with `@McpTask()` become tasks. Import it once for each server that has such tools, beside
 * `McpModule.forRoot()`.
 */
@Module({
  providers: [
    {
      provide: McpTasksExtension,
      inject: [TASKS_SERVER, MODULE_OPTIONS_TOKEN, McpTaskStore, McpTaskRunner],
      useFactory: (
        server: string,
        options: McpTasksModuleOptions,
        store: McpTaskStore,
        runner: McpTaskRunner,
      ) => new McpTasksExtension(server, resolveTasksOptions(options), store, runner),
    },
  ],
})
export class McpTasksModule extends ConfigurableModuleClass {
  /** Declares tasks with options that are known now. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** Declares tasks with options that come from other providers. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
