import type { Redis } from 'ioredis';
import type { RedisPartOptions } from './options/redis-part-options.js';
import type { BullTaskRunnerOptions } from './runner/bull-task-runner-options.js';

/**
 * The options of `McpRedisModule.forRoot()`, and what the factory of `forRootAsync()` returns. Either
 * `url` or `connection` says where Redis is.
 */
export interface McpRedisModuleOptions extends RedisPartOptions {
  /** `redis://user:password@host:port/db`, or `rediss://` for TLS. The module opens the connection, and closes it. */
  url?: string | undefined;
  /** A connection of the application's own, with whatever options it needs. It is used and stays open. */
  connection?: Redis | undefined;
  /** How tasks are played. */
  runner?: Omit<BullTaskRunnerOptions, keyof RedisPartOptions> | undefined;
}
