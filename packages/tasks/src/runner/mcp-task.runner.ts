import type { Awaitable } from '@dacapo/mcp';

/** One job: a round of a task that is to be played. */
export interface TaskTicket {
  readonly taskId: string;
  /** Which server plays it. */
  readonly server: string;
  /** Tells the jobs of one task apart; the same job may be handed in twice. */
  readonly wake: number;
}

/**
 * Plays a round. Resolves when it has been played, or need not be; rejects when it could not be played
 * for now (the store does not answer), and is to be tried again.
 */
export type PlayTask = (ticket: TaskTicket) => Promise<void>;

/**
 * Has tasks played. The one there is by default plays them in its process.
 *
 * 1. What was handed in is played at least once, on whatever instance, though the one that began it dies.
 * 2. A job that is handed in twice (same task, same `wake`) is one job, as long as it is not done.
 * 3. What `PlayTask` rejects with is no end: the job is tried again, later.
 */
export abstract class McpTaskRunner {
  /** Begins to play the jobs of a server. Called once, when its handlers are known. */
  abstract start(server: string, play: PlayTask): Awaitable<void>;

  /**
   * Hands in a job; resolves when it is sure to be played.
   * @param delayMs how long to wait before it is played, in milliseconds; 0 by default
   */
  abstract schedule(ticket: TaskTicket, delayMs?: number): Promise<void>;

  /**
   * Puts off a delayed job that has not begun, from now; nothing happens when it has. It watches over a
   * round that is played elsewhere: if nobody puts it off any more, the one who played it has died.
   */
  abstract postpone(ticket: TaskTicket, delayMs: number): Promise<void>;

  /** Takes a delayed job back; nothing happens when it has begun. */
  abstract withdraw(ticket: TaskTicket): Promise<void>;

  /** Stops playing, lets rounds under way end within `graceMs`, and hands back what has not. */
  abstract stop(server: string, graceMs: number): Promise<void>;
}
