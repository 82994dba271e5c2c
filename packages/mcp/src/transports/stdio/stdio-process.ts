import type { Readable, Writable } from 'node:stream';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import type { StdioConnection } from './stdio.connection.js';

type Signal = 'SIGTERM' | 'SIGINT';

const SIGNALS: readonly Signal[] = ['SIGTERM', 'SIGINT'];

/** How long the process may live on when everything has been closed: time for logs to be written. */
const EXIT_MS = 1_000;

/** What of `process` is needed. */
export interface StdioHost {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  exitCode?: number | string | null;
  on(signal: Signal, listener: (signal: Signal) => void): unknown;
  off(signal: Signal, listener: (signal: Signal) => void): unknown;
  exit(): void;
}

/** Nest's own, with the parameter that its interface does not show. */
interface Closable {
  close(signal?: string): Promise<void>;
}

/**
 * A process that lives as long as its client does.
 *
 * 1. It ends when the client closes its side, or with SIGTERM or SIGINT: calls in flight first, then the
 *    application, then what is left to write.
 * 2. A signal while calls are waited for ends the wait; the next one ends the process at once.
 * 3. It ends by itself; what an application has left running holds it up for a second only.
 */
export class StdioProcess {
  private stopping = false;

  constructor(
    private readonly host: StdioHost,
    private readonly app: INestApplicationContext,
    private readonly connection: StdioConnection,
  ) {
    for (const signal of SIGNALS) host.on(signal, this.onSignal);
    void connection.ended.then(() => this.stop());
    void connection.closed.then(() => this.ignoreSignals());
  }

  private readonly onSignal = (signal: Signal): void => {
    if (this.stopping) {
      this.ignoreSignals();
      this.connection.hurry();
    } else void this.stop(signal);
  };

  private ignoreSignals(): void {
    for (const signal of SIGNALS) this.host.off(signal, this.onSignal);
  }

  private async stop(signal?: Signal): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    await this.connection.drain();
    try {
      await (this.app as Closable).close(signal);
    } catch (error) {
      new Logger('McpStdio').error(error);
      this.host.exitCode = 1;
    }
    setTimeout(() => this.host.exit(), EXIT_MS).unref();
  }
}
