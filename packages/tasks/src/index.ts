/** The promised API of @dacapo/tasks. Whatever is not named here may change at any time. */
export { TaskExistsException } from './exceptions/task-exists.exception.js';
export {
  type CancelledTask,
  type CompletedTask,
  type CreateTaskResult,
  type DetailedTask,
  type FailedTask,
  type GetTaskResult,
  type InputRequiredTask,
  type Task,
  TASK_NOTIFICATION,
  TaskMethod,
  TASKS_EXTENSION,
  type TaskStatus,
  type WorkingTask,
} from './protocol/task.js';
export { McpTaskRunner, type PlayTask, type TaskTicket } from './runner/mcp-task.runner.js';
export { McpTaskStore, type TaskChange } from './store/mcp-task.store.js';
export {
  expiresAtMs,
  isTerminal,
  type TaskCall,
  type TaskQuestion,
  type TaskRecord,
} from './task-record.js';
