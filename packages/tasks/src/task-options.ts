import type { McpExtendedTool } from '@dacapo/mcp';
import { isDuration, MAX_TIMER_MS } from './duration.js';
import type { McpTaskOptions } from './decorators/mcp-task.decorator.js';
import type { ResolvedTasksOptions } from './mcp-tasks-module-options.interface.js';

/** How the calls of one tool become tasks; all of it said. */
export interface TaskOptions {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly required: boolean;
  readonly begin: 'at-once' | 'on-detach';
  readonly afterMs: number | undefined;
}

const NAMES: readonly string[] = ['ttlMs', 'pollIntervalMs', 'required', 'begin', 'afterMs'];
const BEGINNINGS: readonly unknown[] = ['at-once', 'on-detach'];

/** @throws HandlerDefinitionException for what could not be kept */
export function resolveTaskOptions(
  tool: McpExtendedTool,
  options: McpTaskOptions,
  defaults: ResolvedTasksOptions,
): TaskOptions {
  if (typeof (options as unknown) !== 'object' || (options as unknown) === null) {
    throw tool.definitionError(
      '@McpTask() has something in the place of its options',
      'Give an object, or nothing',
    );
  }
  const odd = Object.keys(options).find((name) => !NAMES.includes(name));
  if (odd !== undefined) {
    throw tool.definitionError(
      `@McpTask() has an option "${odd}", which tasks do not have`,
      `Leave it out; there are ${NAMES.join(', ')}`,
    );
  }
  const { ttlMs = defaults.ttlMs, pollIntervalMs = defaults.pollIntervalMs, afterMs } = options;
  for (const [name, value] of Object.entries({ ttlMs, pollIntervalMs, afterMs })) {
    if (value === undefined || isDuration(value)) continue;
    throw tool.definitionError(
      `its task has a ${name} of ${String(value)}`,
      `Give an integer of 1 to ${MAX_TIMER_MS}`,
    );
  }
  const { required = false } = options;
  if (typeof required !== 'boolean') {
    throw tool.definitionError(`its task is required: ${String(required)}`, 'Give true or false');
  }
  const { begin: said } = options;
  if (said !== undefined && !BEGINNINGS.includes(said)) {
    throw tool.definitionError(
      `its task has a begin of ${said}`,
      `Give one of ${BEGINNINGS.join(', ')}`,
    );
  }
  const begin = said ?? (afterMs === undefined ? 'at-once' : 'on-detach');
  if (begin === 'at-once' && afterMs !== undefined) {
    throw tool.definitionError(
      'it becomes a task at once, and again after some time (afterMs)',
      'Leave one of them out',
    );
  }
  return { ttlMs, pollIntervalMs, required, begin, afterMs };
}
