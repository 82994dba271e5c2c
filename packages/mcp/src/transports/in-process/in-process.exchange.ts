import type { McpHeaders, McpOrigin } from '../../exchange/index.js';
import type { JsonRpcNotification } from '../../protocol/index.js';
import { Cancellation } from '../cancellation.js';

/** What a client in this process says of where its requests come from. */
export interface InProcessOrigin {
  readonly headers: McpHeaders;
  readonly request: unknown;
  readonly rehearsed: boolean;
}

/**
 * One request from within the process, until it is answered, cancelled or dropped; its client hears
 * nothing of it after that.
 */
export class InProcessExchange implements McpOrigin {
  readonly transport = 'in-process';
  readonly headers: McpHeaders;
  readonly request: unknown;
  readonly rehearsed: boolean;
  private done = false;
  private readonly cancellation = new Cancellation();
  /** Rejects when the exchange ends without an answer. */
  readonly given = new Promise<never>((_, reject) => this.cancellation.onCancel(reject));

  constructor(
    { headers, request, rehearsed }: InProcessOrigin,
    private readonly hear: (notification: JsonRpcNotification) => void,
  ) {
    this.headers = headers;
    this.request = request;
    this.rehearsed = rehearsed;
    this.given.catch(() => undefined);
  }

  get cancelled(): boolean {
    return this.cancellation.cancelled;
  }

  onCancel(listener: (reason: unknown) => void): void {
    this.cancellation.onCancel(listener);
  }

  notify(notification: JsonRpcNotification): boolean {
    if (this.done) return false;
    // What travels is what JSON makes of it.
    this.hear(JSON.parse(JSON.stringify(notification)) as JsonRpcNotification);
    return true;
  }

  /** Ends the exchange with its answer. */
  finish(): void {
    this.done = true;
  }

  /** Ends the exchange without an answer. */
  cancel(message: string): void {
    if (this.done) return;
    this.done = true;
    this.cancellation.cancel(message);
  }

  drop(): void {
    this.cancel('The server dropped the request.');
  }
}
