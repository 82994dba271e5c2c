import type { McpHeaders, McpOrigin, McpTransport } from '../../exchange/index.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../protocol/index.js';
import { Cancellation } from '../cancellation.js';
import type { LegacyLine } from './legacy-line.js';
import { legacyNotification } from './legacy-result.js';

/** One request of a session on its way through the server, in as many rounds as it takes. */
export class LegacyExchange implements McpOrigin {
  readonly isEarlier = true;
  private done = false;
  private readonly cancellation = new Cancellation();

  constructor(
    private readonly line: LegacyLine,
    /** Hears of every notification in place of the line. */
    private readonly hear: (notification: JsonRpcNotification) => boolean = (notification) =>
      line.send(legacyNotification(notification)),
  ) {
    line.onLost((reason) => this.cancel(reason));
  }

  get transport(): McpTransport {
    return this.line.transport;
  }

  get headers(): McpHeaders {
    return this.line.headers;
  }

  get request(): unknown {
    return this.line.request;
  }

  get cancelled(): boolean {
    return this.cancellation.cancelled;
  }

  readonly onCancel = (listener: (reason: unknown) => void): void => {
    this.cancellation.onCancel(listener);
  };

  notify(notification: JsonRpcNotification): boolean {
    return !this.done && this.hear(notification);
  }

  /** Sends what is no notification of the server's: a question, or its end. */
  readonly send = (message: JsonRpcRequest | JsonRpcNotification): boolean =>
    !this.done && this.line.send(message);

  /** The answer is there; nothing is sent after it. */
  finish(): void {
    this.done = true;
  }

  cancel(message: string): void {
    if (!this.done) this.cancellation.cancel(message);
  }

  drop(): void {
    this.cancel('The server dropped the request.');
    this.done = true;
  }
}
