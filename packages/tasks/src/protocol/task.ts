import type { CallToolResult, InputRequests, JsonRpcErrorObject, Result } from '@dacapo/mcp';

/** The extension, as clients and servers declare it. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The methods of the extension. */
export const TaskMethod = {
  Get: 'tasks/get',
  Update: 'tasks/update',
  Cancel: 'tasks/cancel',
} as const;

/** What a task is told of on a `subscriptions/listen` stream. */
export const TASK_NOTIFICATION = 'notifications/tasks';

/** How a task stands. The last three are for good. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/**
 * What every task says of itself.
 * @see https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md
 */
export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  lastUpdatedAt: string;
  /** From creation on, in milliseconds; `null` for ever. */
  ttlMs: number | null;
  /** How long to wait between polls, in milliseconds. */
  pollIntervalMs?: number;
}

/** A task that is at work. */
export interface WorkingTask extends Task {
  status: 'working';
}

/** A task that waits for its client. */
export interface InputRequiredTask extends Task {
  status: 'input_required';
  inputRequests: InputRequests;
}

/** A task that has a result, which may be that of a tool that has failed. */
export interface CompletedTask extends Task {
  status: 'completed';
  result: CallToolResult;
}

/** A task that ended with a protocol error. */
export interface FailedTask extends Task {
  status: 'failed';
  error: JsonRpcErrorObject;
}

/** A task that was taken back. */
export interface CancelledTask extends Task {
  status: 'cancelled';
}

/** A task with what its status brings along. */
export type DetailedTask =
  WorkingTask | InputRequiredTask | CompletedTask | FailedTask | CancelledTask;

/** The answer to a `tools/call` that has become a task. */
export type CreateTaskResult = Result & Task & { resultType: 'task' };

/** The answer to `tasks/get`. */
export type GetTaskResult = Result & DetailedTask;
