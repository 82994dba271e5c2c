import { extendTool } from '@dacapo/mcp';
import { TASKS_EXTENSION } from '../protocol/task.js';

/** How the calls of a tool become tasks. Durations are milliseconds. */
export interface McpTaskOptions {
  /** How long a task is known, from its creation on; what it has not done by then is given up. */
  ttlMs?: number;
  /** How long a client is told to wait between polls. */
  pollIntervalMs?: number;
  /** Refuses clients that know no tasks with -32021, rather than let them wait for the result. */
  required?: boolean;
  /**
   * When a call becomes a task: `at-once` (default), or `on-detach`, by `ctx.detach()`. Until then it asks
   * its questions as any other call does.
   */
  begin?: 'at-once' | 'on-detach';
  /** Makes a task of a call whose round has kept its client waiting for so long; with `on-detach`. */
  afterMs?: number;
}

/**
 * Lets a tool become a task for clients that know the extension, beside `@McpTool()`; for others it stays
 * the plain call it is. Needs `McpTasksModule`.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
export function McpTask(options: McpTaskOptions = {}): MethodDecorator {
  return extendTool('McpTask', TASKS_EXTENSION, options);
}
