import { isSuspension } from './suspension.js';

const INSTALLED = Symbol.for('dacapo.suspension-guard');

/** The part of `process` the guard needs. */
export interface RejectionSource {
  on(
    event: 'unhandledRejection',
    listener: (reason: unknown, promise: Promise<unknown>) => void,
  ): unknown;
  on(event: 'rejectionHandled', listener: (promise: Promise<unknown>) => void): unknown;
  listenerCount(event: 'unhandledRejection' | 'rejectionHandled'): number;
  emitWarning(warning: string, type: string): void;
}

/**
 * Keeps a suspended round from ending the process.
 *
 * A handler may start a question in a branch it awaits only later (`const a = askA(); await io();
 * await a`). When the round suspends, that branch rejects before anybody listens, and Node ends a
 * process over an unhandled rejection: one ordinary request would take the server down. The guard
 * ignores the signal, and Node's warning when the branch is awaited after all. For any other reason
 * it does what Node does by default, unless the application has a listener of its own, which then
 * decides as before.
 *
 * Installed once a process, however many copies of this package are loaded.
 */
export function installSuspensionGuard(source: RejectionSource = process): void {
  const marked = source as RejectionSource & { [INSTALLED]?: true };
  if (marked[INSTALLED]) return;
  marked[INSTALLED] = true;
  const suspended = new WeakSet<Promise<unknown>>();
  source.on('unhandledRejection', (reason, promise) => {
    if (isSuspension(reason)) suspended.add(promise);
    else if (source.listenerCount('unhandledRejection') === 1) throw reason;
  });
  source.on('rejectionHandled', (promise) => {
    if (suspended.has(promise) || source.listenerCount('rejectionHandled') > 1) return;
    source.emitWarning(
      'Promise rejection was handled asynchronously',
      'PromiseRejectionHandledWarning',
    );
  });
}
