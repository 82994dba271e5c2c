import { Logger } from '@nestjs/common';
import type { PlayTask, TaskTicket } from '@dacapo/tasks';
import { type Job, WaitingError } from 'bullmq';
import type { Redis } from 'ioredis';
import { openWaitingConnection } from '../connection/open-connection.js';
import type { RedisLink } from '../connection/redis-link.js';
import { troubleOf } from '../connection/redis-trouble.js';
import { within } from '../connection/within.js';
import type { PlayOptions } from './bull-task-runner-options.js';
import { queueName } from './queue-names.js';
import { RoundWorker } from './round-worker.js';

const logger = new Logger('BullTaskRunner');

/** As often as a job may be taken over: always. */
export const ALWAYS = 2 ** 31 - 1;

/** How long BullMQ lets Redis wait for a job before it asks anew, at most. */
const LONGEST_WAIT_MS = 10_000;

/**
 * The jobs of one server, played by this instance.
 *
 * 1. Whatever a round rejects with, BullMQ is told that it is to be tried again: some errors mean
 *    something else to it, and all of them it would keep.
 * 2. When it stops, nothing is begun any more; what has not ended in time goes back to the queue, where
 *    others find it at once.
 */
export class PlayedQueue {
  private readonly connection: Redis;
  private readonly worker: RoundWorker;
  /** The lock of each job that is being played. */
  private readonly underWay = new Map<Job<TaskTicket>, string | undefined>();
  private stopping = false;

  constructor(
    private readonly link: RedisLink,
    server: string,
    prefix: string,
    private readonly play: PlayTask,
    options: PlayOptions,
  ) {
    this.connection = openWaitingConnection(
      link.redis,
      'dacapo-runner',
      LONGEST_WAIT_MS + link.timeoutMs,
    );
    this.worker = new RoundWorker(queueName(server), (job, token) => this.playJob(job, token), {
      connection: this.connection,
      prefix,
      concurrency: options.concurrency,
      lockDuration: options.lockMs,
      stalledInterval: options.lockMs,
      maxStalledCount: ALWAYS,
      settings: {
        backoffStrategy: (attempts) =>
          Math.min(options.retryMs * 2 ** (attempts - 1), options.maxRetryMs),
      },
    });
    this.worker.on('error', logTrouble);
  }

  /**
   * Resolves when jobs are being waited for.
   * @throws RedisUnavailableException
   */
  async ready(): Promise<void> {
    // The worker itself would wait until Redis is there.
    await this.link.ask((redis) => redis.ping());
    await this.link.ask(() => this.worker.waitUntilReady());
  }

  async stop(graceMs: number): Promise<void> {
    this.stopping = true;
    await this.worker.pause(true);
    await within(graceMs, this.worker.close());
    const handedBack = [...this.underWay].map(([job, token]) => job.moveToWait(token));
    await within(this.link.timeoutMs, Promise.allSettled(handedBack));
    await within(this.link.timeoutMs, this.worker.abandon());
    this.connection.disconnect();
  }

  private async playJob(job: Job<TaskTicket>, token: string | undefined): Promise<void> {
    if (this.stopping) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    this.underWay.set(job, token);
    try {
      await this.play(job.data);
    } catch (error) {
      logger.error(error);
      throw new Error('The round could not be played.', { cause: error });
    } finally {
      this.underWay.delete(job);
    }
  }
}

/** That a connection is lost is logged where it is opened. */
function logTrouble(error: Error & { code?: unknown }): void {
  if (typeof error.code === 'string' || error.message === 'Connection is closed.') return;
  logger.error(error.name === 'ReplyError' ? `Redis ${troubleOf(error).fact}.` : error.message);
}
