/** The promised API of @dacapo/redis. Whatever is not named here may change at any time. */
export { InvalidRedisOptionsException } from './exceptions/invalid-redis-options.exception.js';
export { RedisUnavailableException } from './exceptions/redis-unavailable.exception.js';
export { TaskContentionException } from './exceptions/task-contention.exception.js';
export { McpRedisModule } from './mcp-redis.module.js';
export type { McpRedisModuleOptions } from './mcp-redis-module-options.interface.js';
export type { RedisPartOptions } from './options/redis-part-options.js';
export { RedisChangeBus } from './redis-change.bus.js';
export { RedisConversationGuard } from './redis-conversation.guard.js';
export { RedisSessionStore } from './redis-session.store.js';
export { RedisTaskStore } from './redis-task.store.js';
export { BullTaskRunner } from './runner/bull-task.runner.js';
export type { BullTaskRunnerOptions } from './runner/bull-task-runner-options.js';
