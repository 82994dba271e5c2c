import { MAX_TIMER_MS } from './duration.js';

/** A round that is played on this instance. */
export interface RunningTask {
  readonly taskId: string;
  /** Which of the task's rounds it is. */
  readonly round: number;
  readonly signal: AbortSignal;
}

interface Running extends RunningTask {
  readonly controller: AbortController;
  readonly timer: NodeJS.Timeout;
}

/** The rounds that are played on this instance, and how they are told to end. */
export class RunningTasks {
  private readonly rounds = new Map<string, Set<Running>>();

  /** @param leftMs how long the task is known yet; then it is given up */
  begin(taskId: string, round: number, leftMs: number): RunningTask {
    const controller = new AbortController();
    const timer = setTimeout(
      () => controller.abort(abortError('The task has expired.')),
      Math.min(Math.max(leftMs, 0), MAX_TIMER_MS),
    );
    timer.unref();
    const running = { taskId, round, signal: controller.signal, controller, timer };
    const rounds = this.rounds.get(taskId) ?? new Set();
    this.rounds.set(taskId, rounds.add(running));
    return running;
  }

  end(running: RunningTask): void {
    const { taskId } = running;
    clearTimeout((running as Running).timer);
    const rounds = this.of(taskId);
    rounds.delete(running as Running);
    if (rounds.size === 0) this.rounds.delete(taskId);
  }

  has(taskId: string): boolean {
    return this.rounds.has(taskId);
  }

  /** Ends the rounds of a task that began before another one; all of them by default. */
  abort(taskId: string, before = Infinity): void {
    for (const { round, controller } of this.of(taskId)) {
      if (round < before) controller.abort(abortError('The task was taken back.'));
    }
  }

  /** Ends one round, which another has overtaken. */
  abortRound(taskId: string, round: number): void {
    for (const running of this.of(taskId)) {
      if (running.round !== round) continue;
      running.controller.abort(abortError('The task has ended, or is played elsewhere.'));
    }
  }

  abortAll(): void {
    for (const rounds of this.rounds.values()) {
      for (const { controller } of rounds) {
        controller.abort(abortError('The server is shutting down.'));
      }
    }
  }

  private of(taskId: string): Set<Running> {
    return this.rounds.get(taskId) ?? new Set();
  }
}

function abortError(message: string): DOMException {
  return new DOMException(message, 'AbortError');
}
