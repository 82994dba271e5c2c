import { Logger } from '@nestjs/common';
import type {
  LedgerEntry,
  McpBackground,
  McpExtensionHost,
  McpPlayedRound,
  McpRoundKeeper,
  McpRunningRound,
} from '@dacapo/mcp';
import type { CallToolResult } from '@dacapo/mcp';
import type { McpTaskRunner, TaskTicket } from './runner/mcp-task.runner.js';
import { RunningTasks, type RunningTask } from './running-tasks.js';
import { StatusMessages } from './status-messages.js';
import type { McpTaskStore, TaskChange } from './store/mcp-task.store.js';
import { ended } from './task-changes.js';
import { expiresAtMs, isTerminal, type TaskRecord } from './task-record.js';

/** How often progress is written down, at most, in milliseconds. */
const PROGRESS_MS = 1_000;

/** What a player is made of. */
export interface TaskPlayerParts {
  readonly host: McpExtensionHost;
  readonly store: McpTaskStore;
  readonly runner: McpTaskRunner;
  /** How long a round that was taken on may give no sign of life, in milliseconds. */
  readonly takeoverMs: number;
}

/** A round that is played here. */
interface UnderWay {
  /** As it was when the round began. */
  readonly record: TaskRecord;
  readonly running: RunningTask;
  readonly messages: StatusMessages;
}

/**
 * Plays the rounds of tasks.
 *
 * 1. A round begins when its job is the one the record waits for. Each beginning raises `round`, and what
 *    an earlier one writes is refused: two that play the same task cannot both record.
 * 2. What could not be played, or kept, is thrown: its job is tried again.
 * 3. What a round throws that was told to stop does not end its task: whoever goes on plays it again.
 * 4. Whoever changes a record tells those who listen.
 * 5. The job of a round that has ended sees to it that there is one of the next: whoever ended it may not
 *    have come to that.
 */
export class TaskPlayer {
  private readonly logger = new Logger('McpTasks');
  private readonly running = new RunningTasks();
  /** Rounds that were taken on, until they have ended, and the jobs that watch over them. */
  private readonly adopted = new Map<Promise<void>, TaskTicket>();
  private stopped = false;

  constructor(private readonly parts: TaskPlayerParts) {
    parts.host.onChanged((taskId) => void this.heed(taskId));
  }

  /** Plays the round of a job. Resolves when it is played or need not be. */
  async play({ taskId, wake }: TaskTicket): Promise<void> {
    const record = await this.begin(taskId, wake);
    if (record === undefined) return this.passOn(taskId, wake);
    const running = this.follow(record);
    const messages = this.messages(record);
    const given = new Set(Object.keys(record.answers));
    try {
      const { entries, ...played } = await this.parts.host.play({
        ...record.call,
        conversationId: record.conversationId,
        startedAtMs: record.createdAtMs,
        round: record.round,
        entries: record.entries,
        answers: record.answers,
        background: background(running, messages),
        save: (saved) => this.save(record, saved),
      });
      await this.end({ record, running, messages }, played, entries, given);
    } finally {
      messages.end();
      this.running.end(running);
    }
  }

  /**
   * Takes on a round that keeps its client waiting.
   * @param make makes its record of what is recorded so far
   * @returns the record; `undefined` where it could not be kept, and the client must wait on
   */
  async adopt(
    round: McpRunningRound,
    make: (left: ReturnType<McpRunningRound['adopt']>) => TaskRecord,
  ): Promise<TaskRecord | undefined> {
    const { host, store, runner, takeoverMs } = this.parts;
    const kept = deferred<TaskRecord | undefined>();
    const later: { messages?: StatusMessages } = {};
    const controller = new AbortController();
    const keeper: McpRoundKeeper = {
      background: {
        signal: controller.signal,
        progress: (progress) => later.messages?.report(progress),
      },
      save: async (entries) => {
        const record = await kept.promise;
        if (record !== undefined) await this.save(record, entries);
      },
    };
    const record = make(round.adopt(keeper));
    const ticket = ticketOf(record);
    try {
      await store.create(record);
      await runner.schedule(ticket, takeoverMs);
    } catch (error) {
      this.logger.error(error);
      await store.delete(record.taskId).catch(() => undefined);
      kept.resolve(undefined);
      return undefined;
    }
    const running = this.running.begin(
      record.taskId,
      record.round,
      expiresAtMs(record) - host.now(),
    );
    const messages = this.messages(record);
    later.messages = messages;
    kept.resolve(record);
    const watch = setInterval(() => {
      runner.postpone(ticket, takeoverMs).catch((error: unknown) => this.logger.error(error));
    }, takeoverMs / 3).unref();
    running.signal.addEventListener('abort', () => {
      // A handler that does not listen must not keep others from going on.
      clearInterval(watch);
      controller.abort(running.signal.reason);
    });
    const over = this.endAdopted({ record, running, messages }, round).finally(() => {
      clearInterval(watch);
      messages.end();
      this.running.end(running);
      this.adopted.delete(over);
    });
    this.adopted.set(over, ticket);
    return record;
  }

  /** Changes a record, and tells of it. */
  async change(taskId: string, change: TaskChange): Promise<TaskRecord | undefined> {
    const seen: { changed: boolean } = { changed: false };
    const record = await this.parts.store.update(taskId, (current) => {
      const next = change(current);
      seen.changed = next !== current;
      return next;
    });
    if (seen.changed) this.parts.host.changed(taskId);
    return record;
  }

  /** Has a round played that is due; does nothing where none is. */
  async wake(record: TaskRecord | undefined): Promise<void> {
    if (record?.due === true && !this.running.has(record.taskId)) {
      await this.parts.runner.schedule(ticketOf(record));
    }
  }

  /** Ends what is played of a task on this instance. */
  abort(taskId: string): void {
    this.running.abort(taskId);
  }

  /** Lets rounds under way end for a while, then tells them to, and leaves them to others. */
  async stop(graceMs: number): Promise<void> {
    const { runner, host } = this.parts;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.all([
      runner.stop(host.scope, graceMs),
      Promise.race([late, Promise.allSettled(this.adopted.keys())]),
    ]);
    clearTimeout(timer);
    this.stopped = true;
    this.running.abortAll();
    // Once they have ended, what is shared with others may be closed.
    await Promise.all([...this.adopted.values()].map((ticket) => this.release(ticket)));
  }

  private async begin(taskId: string, wake: number): Promise<TaskRecord | undefined> {
    const { scope } = this.parts.host;
    return this.replace(taskId, (current) =>
      current.due && current.wake === wake && current.server === scope
        ? { ...current, round: current.round + 1 }
        : undefined,
    );
  }

  /** Has the round played that follows that of a job, where one is due. */
  private async passOn(taskId: string, wake: number): Promise<void> {
    const record = await this.parts.store.get(taskId);
    const isNext = record?.server === this.parts.host.scope && record.due && record.wake > wake;
    if (isNext) await this.parts.runner.schedule(ticketOf(record));
  }

  /** What an earlier round of a task writes is refused. */
  private async write(round: TaskRecord, change: TaskChange): Promise<TaskRecord | undefined> {
    return this.replace(round.taskId, (current) =>
      current.round === round.round ? change(current) : undefined,
    );
  }

  /**
   * @param change `undefined` leaves the record as it is
   * @returns the record; `undefined` where it was left
   */
  private async replace(
    taskId: string,
    change: (record: TaskRecord) => TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    const seen: { made?: TaskRecord | undefined } = {};
    const record = await this.parts.store.update(taskId, (current) => {
      seen.made = change(current);
      return seen.made ?? current;
    });
    const { made } = seen;
    if (record === undefined || made === undefined) return undefined;
    // A store may have to make a change anew, and does not when the task has ended by then.
    return isTerminal(record) && !isTerminal(made) ? undefined : record;
  }

  private async save(record: TaskRecord, entries: readonly LedgerEntry[]): Promise<void> {
    const written = await this.write(record, (current) => ({ ...current, entries }));
    if (written !== undefined) return;
    this.running.abortRound(record.taskId, record.round);
    throw new Error('The task has ended, or is played elsewhere.');
  }

  private async end(
    { record, running, messages }: UnderWay,
    played: McpPlayedRound<CallToolResult>,
    entries: readonly LedgerEntry[],
    given: ReadonlySet<string>,
  ): Promise<void> {
    const statusMessage = messages.end();
    const wasStopped = running.signal.aborted && hasFailed(played);
    if (played.type === 'unplayed' || wasStopped) {
      if (await this.isOver(record)) return;
      throw played.type === 'unplayed' ? played.cause : running.signal.reason;
    }
    const now = this.parts.host.now();
    const written = await this.write(record, (current) =>
      ended(
        { ...current, ...(statusMessage !== undefined && { statusMessage }) },
        played,
        entries,
        given,
        now,
      ),
    );
    if (written === undefined) return;
    this.parts.host.changed(record.taskId);
    if (written.due) await this.parts.runner.schedule(ticketOf(written));
  }

  /** Where it fails, the job that watches over it has it played again. */
  private async endAdopted(underWay: UnderWay, round: McpRunningRound): Promise<void> {
    const { runner } = this.parts;
    const ticket = ticketOf(underWay.record);
    try {
      const played = (await round.played()) as McpPlayedRound<CallToolResult>;
      await this.end(underWay, played, round.entries, new Set());
      await runner.withdraw(ticket);
    } catch (error) {
      if (this.stopped) return;
      this.logger.error(error);
      await this.release(ticket);
    }
  }

  /** Has a round that was taken on played by whoever comes first. */
  private async release(ticket: TaskTicket): Promise<void> {
    await this.parts.runner.postpone(ticket, 0).catch((error: unknown) => this.logger.error(error));
  }

  private async isOver({ taskId, round }: TaskRecord): Promise<boolean> {
    const now = await this.parts.store.get(taskId);
    return now === undefined || isTerminal(now) || now.round !== round;
  }

  /** A change that came from elsewhere may have ended what is played here. */
  private async heed(taskId: string): Promise<void> {
    if (!this.running.has(taskId)) return;
    try {
      const record = await this.parts.store.get(taskId);
      if (record === undefined || isTerminal(record)) this.running.abort(taskId);
      else this.running.abort(taskId, record.round);
    } catch (error) {
      this.logger.error(error);
    }
  }

  private follow(record: TaskRecord): RunningTask {
    const { taskId, round } = record;
    return this.running.begin(taskId, round, expiresAtMs(record) - this.parts.host.now());
  }

  private messages(record: TaskRecord): StatusMessages {
    return new StatusMessages((statusMessage) => {
      const now = this.parts.host.now();
      this.write(record, (current) => ({ ...current, statusMessage, lastUpdatedAtMs: now })).then(
        (written) => {
          if (written === undefined) this.running.abortRound(record.taskId, record.round);
          else this.parts.host.changed(record.taskId);
        },
        (error: unknown) => this.logger.error(error),
      );
    }, PROGRESS_MS);
  }
}

/** What comes of a round that was told to stop says nothing of its task, unless it got to its end. */
function hasFailed(played: McpPlayedRound<CallToolResult>): boolean {
  return (
    played.type === 'failed' || (played.type === 'completed' && played.result.isError === true)
  );
}

/** The job of a round that is due. */
export function ticketOf({ taskId, server, wake }: TaskRecord): TaskTicket {
  return { taskId, server, wake };
}

function background({ signal }: RunningTask, messages: StatusMessages): McpBackground {
  return { signal, progress: (progress) => messages.report(progress) };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve: (value) => resolve(value) };
}
