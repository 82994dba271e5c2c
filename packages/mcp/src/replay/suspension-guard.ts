import { isAskRejection } from './suspension.js';

const INSTALLED = Symbol.for('dacapo.suspension-guard');

type Emit = (event: string | symbol, ...args: unknown[]) => boolean;

/** The part of `process` the guard needs. */
export interface RejectionSource {
  emit: Emit;
}

/**
 * Keeps a question from ending the process.
 *
 * A handler may start a question in a branch it awaits only later (`const a = askA(); await io();
 * await a`). When the round suspends, or the question fails for want of a capability, that branch
 * rejects before anybody listens, and Node ends a process over an unhandled rejection: one ordinary
 * request would take the server down, or run the exit that an application puts in its own listener.
 *
 * The guard keeps Node's two events about such promises from being emitted; nothing was lost, since
 * the round's outcome is read from the execution. All other events pass as they were, to the
 * application's listeners or to Node's default.
 *
 * Installed once a process, however many copies of this package are loaded.
 */
export function installSuspensionGuard(source: RejectionSource = process as RejectionSource): void {
  const marked = source as RejectionSource & { [INSTALLED]?: true };
  if (marked[INSTALLED]) return;
  marked[INSTALLED] = true;
  const emit = source.emit.bind(source);
  const quiet = new WeakSet<object>();
  source.emit = (event, ...args) => {
    const [first, second] = args;
    if (event === 'unhandledRejection' && isAskRejection(first)) {
      quiet.add(second as Promise<unknown>);
      return true;
    }
    if (event === 'rejectionHandled' && quiet.has(first as Promise<unknown>)) return true;
    return emit(event, ...args);
  };
}
