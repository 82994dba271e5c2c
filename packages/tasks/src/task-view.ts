import type { CallToolResult, JsonRpcErrorObject } from '@dacapo/mcp';
import type { CreateTaskResult, DetailedTask, Task } from './protocol/task.js';
import { openRequests } from './task-changes.js';
import type { TaskRecord } from './task-record.js';

/** A task, as its client sees it. */
export function detailedTask(record: TaskRecord): DetailedTask {
  const task = common(record);
  const { status } = record;
  switch (status) {
    case 'working':
    case 'cancelled':
      return { ...task, status };
    case 'input_required':
      return { ...task, status, inputRequests: openRequests(record) };
    case 'completed':
      return { ...task, status, result: record.result as CallToolResult };
    case 'failed':
      return { ...task, status, error: record.error as JsonRpcErrorObject };
  }
}

/** The answer to the call that became a task. */
export function createTaskResult(record: TaskRecord): CreateTaskResult {
  return { resultType: 'task', ...common(record) };
}

function common(record: TaskRecord): Task {
  const { taskId, status, statusMessage, createdAtMs, lastUpdatedAtMs, ttlMs } = record;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAtMs).toISOString(),
    lastUpdatedAt: new Date(lastUpdatedAtMs).toISOString(),
    ttlMs,
    pollIntervalMs: record.pollIntervalMs,
  };
}
