/** The promised API of @dacapo/tasks. Whatever is not named here may change at any time. */
export { McpTask, type McpTaskOptions } from './decorators/mcp-task.decorator.js';
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
export { McpTasksModule } from './mcp-tasks.module.js';
export type {
  McpTasksModuleExtras,
  McpTasksModuleOptions,
} from './mcp-tasks-module-options.interface.js';
export { InProcessTaskRunner } from './runner/in-process-task.runner.js';
export { McpTaskRunner, type PlayTask, type TaskTicket } from './runner/mcp-task.runner.js';
export { InMemoryTaskStore } from './store/in-memory-task.store.js';
export { McpTaskStore, type TaskChange } from './store/mcp-task.store.js';
export {
  expiresAtMs,
  isTerminal,
  type TaskCall,
  type TaskQuestion,
  type TaskRecord,
} from './task-record.js';
