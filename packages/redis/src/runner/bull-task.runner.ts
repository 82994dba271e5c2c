import { McpTaskRunner, type PlayTask, type TaskTicket } from '@dacapo/tasks';
import { ErrorCode, type JobsOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { RedisLink } from '../connection/redis-link.js';
import { resolvePartOptions } from '../options/redis-part-options.js';
import {
  type BullTaskRunnerOptions,
  type PlayOptions,
  resolvePlayOptions,
} from './bull-task-runner-options.js';
import { ALWAYS, PlayedQueue } from './played-queue.js';
import { jobId, queueName, queuePrefix } from './queue-names.js';

/** A job is tried until it is played, and leaves nothing behind: its id may come again. */
const JOB_OPTIONS: JobsOptions = {
  attempts: ALWAYS,
  backoff: { type: 'custom' },
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 1,
};

/**
 * Has tasks played by any instance that shares a Redis, by BullMQ: a queue for each server. What waits,
 * is retried, delayed, locked and taken over is BullMQ's; a dashboard for it shows the jobs.
 */
export class BullTaskRunner extends McpTaskRunner {
  private readonly link: RedisLink;
  private readonly prefix: string;
  private readonly options: PlayOptions;
  private readonly queues = new Map<string, Queue<TaskTicket>>();
  private readonly played = new Map<string, PlayedQueue>();

  /** @throws InvalidRedisOptionsException */
  constructor(redis: Redis, options: BullTaskRunnerOptions = {}) {
    super();
    const { prefix, timeoutMs } = resolvePartOptions(options);
    this.link = new RedisLink(redis, timeoutMs);
    this.prefix = queuePrefix(prefix);
    this.options = resolvePlayOptions(options);
  }

  /** @throws RedisUnavailableException */
  override async start(server: string, play: PlayTask): Promise<void> {
    await this.played.get(server)?.stop(0);
    const played = new PlayedQueue(this.link, server, this.prefix, play, this.options);
    this.played.set(server, played);
    try {
      await played.ready();
    } catch (error) {
      await this.stop(server, 0);
      throw error;
    }
  }

  override async schedule(ticket: TaskTicket, delayMs = 0): Promise<void> {
    const { taskId, server, wake } = ticket;
    const options = { ...JOB_OPTIONS, jobId: jobId(ticket), delay: delayMs };
    await this.link.ask(() => this.queueOf(server).add('round', { taskId, server, wake }, options));
  }

  override async postpone(ticket: TaskTicket, delayMs: number): Promise<void> {
    await this.link.ask(async () => {
      const job = await this.queueOf(ticket.server).getJob(jobId(ticket));
      await job?.changeDelay(delayMs).catch(unlessBegun);
    });
  }

  override async withdraw(ticket: TaskTicket): Promise<void> {
    await this.link.ask(() => this.queueOf(ticket.server).remove(jobId(ticket)));
  }

  override async stop(server: string, graceMs: number): Promise<void> {
    const played = this.played.get(server);
    this.played.delete(server);
    await played?.stop(graceMs);
  }

  /** Stops every server at once, and lets go of Redis. The connection it was given stays open. */
  async close(): Promise<void> {
    await Promise.all([...this.played.keys()].map((server) => this.stop(server, 0)));
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.queues.clear();
  }

  private queueOf(server: string): Queue<TaskTicket> {
    const known = this.queues.get(server);
    if (known !== undefined) return known;
    const queue = new Queue<TaskTicket>(queueName(server), {
      connection: this.link.redis,
      prefix: this.prefix,
      // It would wait for a Redis that is away, and never ask again for what it could not find out.
      skipWaitingForReady: true,
      skipVersionCheck: true,
    });
    // What a call rejects with is told to its caller.
    queue.on('error', () => undefined);
    this.queues.set(server, queue);
    return queue;
  }
}

function unlessBegun(error: unknown): void {
  const { code } = error as { code?: unknown };
  if (code === ErrorCode.JobNotExist || code === ErrorCode.JobNotInState) return;
  throw error;
}
