import { randomBytes, randomUUID } from 'node:crypto';
import type {
  McpExtensionHost,
  McpLeftConversation,
  McpRunningRound,
  McpToolCall,
  McpToolTaker,
  Result,
} from '@dacapo/mcp';
import { TASKS_EXTENSION } from './protocol/task.js';
import type { McpTaskStore } from './store/mcp-task.store.js';
import type { TaskOptions } from './task-options.js';
import type { TaskPlayer } from './task-player.js';
import type { TaskRecord } from './task-record.js';
import { createTaskResult } from './task-view.js';

/** Unguessable: 256 bits. */
const ID_BYTES = 32;

/**
 * Makes tasks of the calls of one tool.
 *
 * 1. Guards, capabilities and arguments are judged before there is a task.
 * 2. A client is told of a task when that can be got.
 * 3. A call that carries the state of a conversation stays on the wire, until it leaves.
 */
export class TaskTaker implements McpToolTaker {
  constructor(
    private readonly host: McpExtensionHost,
    private readonly store: McpTaskStore,
    private readonly player: TaskPlayer,
    private readonly options: TaskOptions,
  ) {}

  async take(call: McpToolCall): Promise<Result> {
    const { required, begin, afterMs } = this.options;
    const { client } = call.exchange;
    const capable = client.supports(`extensions.${TASKS_EXTENSION}`);
    if (required && !capable) {
      await call.admit();
      client.require(`extensions.${TASKS_EXTENSION}`);
    }
    if (capable && begin === 'at-once' && !call.isRetry) {
      return (await call.admit()) ?? this.create(call);
    }
    return call.run({
      detach: capable ? 'leave' : 'stay',
      detached: (left) => this.create(call, left),
      ...(capable &&
        afterMs !== undefined && {
          afterMs,
          overdue: (round: McpRunningRound) => this.adopt(call, round),
        }),
    });
  }

  private async create(call: McpToolCall, left?: McpLeftConversation): Promise<Result> {
    const record = this.record(call, left);
    await this.store.create(record);
    try {
      await this.player.wake(record);
    } catch (error) {
      await this.store.delete(record.taskId).catch(() => undefined);
      throw error;
    }
    return createTaskResult(record);
  }

  private async adopt(call: McpToolCall, round: McpRunningRound): Promise<Result | undefined> {
    const record = await this.player.adopt(round, (left) => ({
      ...this.record(call, left),
      round: 1,
    }));
    return record === undefined ? undefined : createTaskResult(record);
  }

  private record(
    { tool, arguments: args, exchange }: McpToolCall,
    left: McpLeftConversation | undefined,
  ): TaskRecord {
    const { ttlMs, pollIntervalMs } = this.options;
    const { principal, protocolVersion, client } = exchange;
    const now = this.host.now();
    return {
      taskId: randomBytes(ID_BYTES).toString('base64url'),
      server: this.host.scope,
      status: 'working',
      createdAtMs: now,
      lastUpdatedAtMs: now,
      ttlMs,
      pollIntervalMs,
      call: {
        tool,
        arguments: args,
        principal,
        protocolVersion,
        ...(client.info !== undefined && { clientInfo: client.info }),
        capabilities: client.capabilities,
      },
      conversationId: left?.conversationId ?? randomUUID(),
      entries: left?.entries ?? [],
      questions: [],
      answers: {},
      round: 0,
      wake: 1,
      due: true,
      version: 1,
    };
  }
}
