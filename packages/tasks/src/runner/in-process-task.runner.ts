import { Logger } from '@nestjs/common';
import { McpTaskRunner, type PlayTask, type TaskTicket } from './mcp-task.runner.js';

/** How many rounds of a server are played at once. */
const CONCURRENCY = 100;
/** The pause before a round that could not be played is tried again; it doubles each time, in milliseconds. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

interface Job {
  readonly ticket: TaskTicket;
  state: 'delayed' | 'waiting' | 'running';
  attempts: number;
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Plays tasks in this process, which forgets what it has not played when it ends.
 *
 * 1. A job stays in `jobs` until it is played, so one that is handed in twice is one.
 * 2. Whatever a round rejects with, it is tried again.
 */
export class InProcessTaskRunner extends McpTaskRunner {
  private readonly logger = new Logger('InProcessTaskRunner');
  private readonly plays = new Map<string, PlayTask>();
  private readonly jobs = new Map<string, Job>();
  private readonly rounds = new Map<Job, Promise<void>>();

  override start(server: string, play: PlayTask): void {
    this.plays.set(server, play);
    this.playWaiting(server);
  }

  override schedule(ticket: TaskTicket, delayMs = 0): Promise<void> {
    const key = keyOf(ticket);
    if (!this.jobs.has(key)) {
      const job: Job = { ticket, state: 'waiting', attempts: 0 };
      this.jobs.set(key, job);
      this.delay(job, delayMs);
    }
    return Promise.resolve();
  }

  override postpone(ticket: TaskTicket, delayMs: number): Promise<void> {
    const job = this.jobs.get(keyOf(ticket));
    if (job?.state === 'delayed') this.delay(job, delayMs);
    return Promise.resolve();
  }

  override withdraw(ticket: TaskTicket): Promise<void> {
    const job = this.jobs.get(keyOf(ticket));
    if (job !== undefined && job.state !== 'running') this.forget(job);
    return Promise.resolve();
  }

  override async stop(server: string, graceMs: number): Promise<void> {
    this.plays.delete(server);
    const ends = [...this.rounds].filter(([{ ticket }]) => ticket.server === server);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([late, Promise.allSettled(ends.map(([, end]) => end))]);
    clearTimeout(timer);
    for (const job of this.jobs.values()) {
      if (job.ticket.server === server) this.forget(job);
    }
  }

  /** A server that is not started yet, or any more, plays nothing. */
  private playWaiting(server: string): void {
    const play = this.plays.get(server);
    if (play === undefined) return;
    for (const job of this.jobs.values()) {
      if (job.state !== 'waiting' || job.ticket.server !== server) continue;
      if (this.runningOf(server) >= CONCURRENCY) return;
      this.begin(job, play);
    }
  }

  private begin(job: Job, play: PlayTask): void {
    job.state = 'running';
    job.attempts += 1;
    const round = new Promise((resolve) => setImmediate(resolve))
      .then(() => play(job.ticket))
      .then(
        () => this.forget(job),
        (error: unknown) => {
          this.logger.error(error);
          if (this.jobs.get(keyOf(job.ticket)) !== job) return;
          this.delay(job, Math.min(RETRY_MS * 2 ** (job.attempts - 1), MAX_RETRY_MS));
        },
      );
    this.rounds.set(job, round);
    void round.then(() => {
      this.rounds.delete(job);
      this.playWaiting(job.ticket.server);
    });
  }

  private delay(job: Job, delayMs: number): void {
    clearTimeout(job.timer);
    job.state = delayMs > 0 ? 'delayed' : 'waiting';
    if (delayMs <= 0) {
      this.playWaiting(job.ticket.server);
      return;
    }
    job.timer = setTimeout(() => {
      job.state = 'waiting';
      this.playWaiting(job.ticket.server);
    }, delayMs);
    job.timer.unref();
  }

  private forget(job: Job): void {
    clearTimeout(job.timer);
    const key = keyOf(job.ticket);
    if (this.jobs.get(key) === job) this.jobs.delete(key);
  }

  private runningOf(server: string): number {
    return [...this.rounds.keys()].filter(({ ticket }) => ticket.server === server).length;
  }
}

function keyOf({ taskId, server, wake }: TaskTicket): string {
  return JSON.stringify([server, taskId, wake]);
}
