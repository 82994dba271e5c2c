import { ForgottenAwaitException } from '../exceptions/index.js';
import type { InputRequests } from '../protocol/index.js';
import type { ReplayExecution } from './execution.js';
import { installSuspensionGuard } from './suspension-guard.js';

/** How a round ended; errors of the handler are thrown. */
export type RoundOutcome<T> =
  | { readonly type: 'completed'; readonly value: T }
  | { readonly type: 'suspended'; readonly inputRequests: InputRequests }
  /** A rehearsed pass has recorded something; the round goes on from the top. */
  | { readonly type: 'interrupted' }
  /** The call is to go on elsewhere, from the top. */
  | { readonly type: 'detached' };

/**
 * Plays one round. It knows nothing of tokens, principals or transports: carriers bring the ledger
 * and take it away.
 *
 * 1. The outcome is read from the execution, not from what the handler made of the signal: a
 *    swallowed suspension still suspends, a swallowed mismatch still fails.
 * 2. The handler settles, `finally` included, before the outcome is read.
 * 3. A handler that returns before its question is answered has gone on without the answer. That is
 *    its author's mistake and never a suspension, nor the end of a rehearsed pass.
 */
export class ReplayExecutor {
  constructor() {
    installSuspensionGuard();
  }

  async execute<T>(execution: ReplayExecution, play: () => Promise<T>): Promise<RoundOutcome<T>> {
    let end: End<T>;
    try {
      end = { type: 'returned', value: await play() };
    } catch (error) {
      end = { type: 'failed', error };
    }
    const forgotten = end.type === 'returned' ? execution.forgotten : undefined;
    const settling = execution.settle();
    if (settling !== undefined) await settling;
    if (execution.failure !== undefined) throw execution.failure;
    if (forgotten !== undefined) throw new ForgottenAwaitException(execution.handler, forgotten);
    if (execution.interrupted) return { type: 'interrupted' };
    if (execution.detached) return { type: 'detached' };
    if (execution.pending.size > 0) {
      return { type: 'suspended', inputRequests: Object.fromEntries(execution.pending) };
    }
    if (end.type === 'failed') throw end.error;
    return { type: 'completed', value: end.value };
  }
}

type End<T> = { type: 'returned'; value: T } | { type: 'failed'; error: unknown };
