import { InvalidOptionsException, type McpSeamProvider } from '@dacapo/mcp';
import { isDuration, MAX_TIMER_MS } from './duration.js';
import type { McpTaskRunner } from './runner/mcp-task.runner.js';
import type { McpTaskStore } from './store/mcp-task.store.js';

/** How tasks are kept and played. Durations are milliseconds. */
export interface McpTasksModuleOptions {
  /** How long a task is known, where its tool does not say; 1 hour by default. */
  ttlMs?: number | undefined;
  /** How long clients are told to wait between polls, where the tool does not say; 2 seconds by default. */
  pollIntervalMs?: number | undefined;
  /** How long rounds under way may take to end when the application shuts down; 10 seconds by default. */
  graceMs?: number | undefined;
  /**
   * How long a round that has become a task while it was running may give no sign of life before others
   * take it over; 30 seconds by default.
   */
  takeoverMs?: number | undefined;
}

/** What is needed when the module is declared, before any options are there. */
export interface McpTasksModuleExtras {
  /** `name` of the server whose tasks they are, where the application has several. */
  server?: string;
  /** Keeps tasks; by default in this process, which forgets them when it ends. */
  store?: McpSeamProvider<McpTaskStore>;
  /** Has tasks played; by default in this process. */
  runner?: McpSeamProvider<McpTaskRunner>;
}

/** The options with every default filled in. */
export interface ResolvedTasksOptions {
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
  readonly graceMs: number;
  readonly takeoverMs: number;
}

/** @throws InvalidOptionsException */
export function resolveTasksOptions(options: McpTasksModuleOptions): ResolvedTasksOptions {
  const {
    ttlMs = 3_600_000,
    pollIntervalMs = 2_000,
    graceMs = 10_000,
    takeoverMs = 30_000,
  } = options;
  const resolved = { ttlMs, pollIntervalMs, graceMs, takeoverMs };
  const odd = Object.keys(options).find((name) => !Object.hasOwn(resolved, name));
  if (odd !== undefined) {
    throw new InvalidOptionsException(
      odd,
      'is no option',
      `Leave it out; there are server, store, runner, ${Object.keys(resolved).join(', ')}`,
      'McpTasksModule',
    );
  }
  for (const [name, value] of Object.entries(resolved)) {
    if (isDuration(value)) continue;
    throw new InvalidOptionsException(
      name,
      `is ${String(value)}`,
      `Give an integer of 1 to ${MAX_TIMER_MS}, in milliseconds`,
      'McpTasksModule',
    );
  }
  return resolved;
}
