import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SharedConnection } from './connection/shared-connection.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './mcp-redis.module-definition.js';
import type { McpRedisModuleOptions } from './mcp-redis-module-options.interface.js';
import { RedisChangeBus } from './redis-change.bus.js';
import { RedisConversationGuard } from './redis-conversation.guard.js';
import { RedisSessionStore } from './redis-session.store.js';
import { RedisTaskStore } from './redis-task.store.js';
import { BullTaskRunner } from './runner/bull-task.runner.js';

/**
 * One connection to Redis, and what instances of a server share over it: `RedisTaskStore`,
 * `BullTaskRunner`, `RedisChangeBus`, `RedisConversationGuard` and `RedisSessionStore`, each to be named
 * where it is wanted, as in `McpModule.forRoot({ changeBus: { useExisting: RedisChangeBus } })`. Global: import it once, in
 * the root module.
 */
@Global()
@Module({
  providers: [
    {
      provide: SharedConnection,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: McpRedisModuleOptions) => SharedConnection.open(options),
    },
    {
      provide: BullTaskRunner,
      inject: [SharedConnection, MODULE_OPTIONS_TOKEN],
      useFactory: ({ redis }: SharedConnection, { runner, ...options }: McpRedisModuleOptions) =>
        new BullTaskRunner(redis, { ...runner, ...options }),
    },
    ...[RedisTaskStore, RedisChangeBus, RedisConversationGuard, RedisSessionStore].map((Part) => ({
      provide: Part,
      inject: [SharedConnection, MODULE_OPTIONS_TOKEN],
      useFactory: ({ redis }: SharedConnection, options: McpRedisModuleOptions) =>
        new Part(redis, options),
    })),
  ],
  exports: [
    RedisTaskStore,
    BullTaskRunner,
    RedisChangeBus,
    RedisConversationGuard,
    RedisSessionStore,
  ],
})
export class McpRedisModule extends ConfigurableModuleClass implements OnApplicationShutdown {
  constructor(
    private readonly connection: SharedConnection,
    private readonly bus: RedisChangeBus,
    private readonly runner: BullTaskRunner,
  ) {
    super();
  }

  /** Declares Redis with options that are known now. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** Declares Redis with options that come from other providers. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /** Last of all: others end what they do in the hooks before. */
  async onApplicationShutdown(): Promise<void> {
    this.bus.close();
    await this.runner.close();
    await this.connection.close();
  }
}
