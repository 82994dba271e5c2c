import { Logger } from '@nestjs/common';
import {
  InvalidParamsException,
  type JsonValue,
  type McpExchange,
  type McpExtensionHost,
  type McpExtensionMethod,
  type McpExtensionTopic,
  type Result,
} from '@dacapo/mcp';
import { type GetTaskResult, TASK_NOTIFICATION, TaskMethod } from './protocol/task.js';
import type { McpTaskStore } from './store/mcp-task.store.js';
import { answered, cancelled } from './task-changes.js';
import type { TaskPlayer } from './task-player.js';
import type { TaskRecord } from './task-record.js';
import { detailedTask } from './task-view.js';

const COMPLETE: Result = { resultType: 'complete' };

type Params = Readonly<Record<string, unknown>>;

/**
 * `tasks/get`, `tasks/update`, `tasks/cancel` and `notifications/tasks`.
 *
 * 1. A task of another caller or server, an expired and an unknown one are the same: unknown.
 * 2. Whoever asks for a task whose round is due has it scheduled once more: no process that has died takes
 *    a task with it.
 */
export class TaskMethods {
  private readonly logger = new Logger('McpTasks');

  constructor(
    private readonly host: McpExtensionHost,
    private readonly store: McpTaskStore,
    private readonly player: TaskPlayer,
  ) {}

  get all(): readonly McpExtensionMethod[] {
    const method = (
      name: string,
      handle: (exchange: McpExchange, params: Params) => Promise<Result>,
    ): McpExtensionMethod => ({ name, namedBy: 'taskId', handle });
    return [
      method(TaskMethod.Get, (exchange, params) => this.get(exchange, params)),
      method(TaskMethod.Update, (exchange, params) => this.update(exchange, params)),
      method(TaskMethod.Cancel, (exchange, params) => this.cancel(exchange, params)),
    ];
  }

  get topic(): McpExtensionTopic {
    return {
      member: 'taskIds',
      honour: async (taskIds, exchange) => {
        const found = await Promise.all(taskIds.map((taskId) => this.find(taskId, exchange)));
        return found.flatMap((record) => record?.taskId ?? []);
      },
      notification: async (taskId, exchange) => {
        const record = await this.find(taskId, exchange);
        if (record === undefined) return undefined;
        return { method: TASK_NOTIFICATION, params: { ...detailedTask(record) } };
      },
    };
  }

  private async get(exchange: McpExchange, params: Params): Promise<GetTaskResult> {
    const record = await this.known(exchange, params);
    await this.wake(record);
    return { resultType: 'complete', ...detailedTask(record) };
  }

  private async update(exchange: McpExchange, params: Params): Promise<Result> {
    const record = await this.known(exchange, params);
    const answers = this.read(record, params['inputResponses']);
    const now = this.host.now();
    const changed = await this.player.change(record.taskId, (current) =>
      answered(current, answers, now),
    );
    await this.wake(changed);
    return COMPLETE;
  }

  private async cancel(exchange: McpExchange, params: Params): Promise<Result> {
    const { taskId } = await this.known(exchange, params);
    const now = this.host.now();
    await this.player.change(taskId, (current) => cancelled(current, now));
    this.player.abort(taskId);
    return COMPLETE;
  }

  /** Answers to what is not open are ignored. @throws RequestStateRejectedException */
  private read(record: TaskRecord, inputResponses: unknown): Record<string, JsonValue> {
    if (
      typeof inputResponses !== 'object' ||
      inputResponses === null ||
      Array.isArray(inputResponses)
    ) {
      throw new InvalidParamsException(
        'params.inputResponses must be an object of answers, by the keys of inputRequests.',
      );
    }
    const answers = new Map(Object.entries(inputResponses));
    const read: Record<string, JsonValue> = {};
    for (const { wireKey, request, closed } of record.questions) {
      if (closed || !answers.has(wireKey)) continue;
      read[wireKey] = this.host.readAnswer(request, wireKey, answers.get(wireKey));
    }
    return read;
  }

  /** @throws InvalidParamsException */
  private async known(exchange: McpExchange, { taskId }: Params): Promise<TaskRecord> {
    if (typeof taskId !== 'string') {
      throw new InvalidParamsException('params.taskId must be a string.');
    }
    const record = await this.find(taskId, exchange);
    if (record === undefined)
      throw new InvalidParamsException('Unknown task. It may have expired.');
    return record;
  }

  private async find(taskId: string, { principal }: McpExchange): Promise<TaskRecord | undefined> {
    const record = await this.store.get(taskId);
    const isTheirs = record?.server === this.host.scope && record.call.principal === principal;
    return isTheirs ? record : undefined;
  }

  /** Of a runner that does not answer nobody is told: the next poll wakes it. */
  private async wake(record: TaskRecord | undefined): Promise<void> {
    try {
      await this.player.wake(record);
    } catch (error) {
      this.logger.error(error);
    }
  }
}
