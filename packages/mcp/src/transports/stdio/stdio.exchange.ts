import type { McpHeaders, McpOrigin } from '../../exchange/index.js';
import {
  type JsonRpcNotification,
  type JsonRpcRequest,
  McpMethod,
  McpNotificationMethod,
  MetaKey,
  type RequestId,
} from '../../protocol/index.js';
import { Cancellation } from '../cancellation.js';
import type { LegacyLine } from '../legacy/legacy-line.js';

/** The side of the connection that a request answers to. */
export interface StdioPort {
  /** Writes a line, however much is waiting. */
  send(line: string): void;
  /** Writes a line unless too much is waiting. */
  offer(line: string): boolean;
  /** The request needs its id no longer. */
  forget(id: RequestId): void;
}

const NO_HEADERS: McpHeaders = Object.freeze({});

/**
 * One request over stdio, until it is answered, cancelled or dropped; nothing is sent for it after that.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
 */
export class StdioExchange implements McpOrigin, LegacyLine {
  readonly transport = 'stdio';
  readonly headers = NO_HEADERS;
  readonly request = undefined;
  private done = false;
  private readonly cancellation = new Cancellation();

  constructor(
    private readonly message: JsonRpcRequest,
    private readonly port: StdioPort,
  ) {}

  /** It ends with the connection, not by itself. */
  get isSubscription(): boolean {
    return this.message.method === McpMethod.SubscriptionsListen;
  }

  get cancelled(): boolean {
    return this.cancellation.cancelled;
  }

  onCancel(listener: (reason: unknown) => void): void {
    this.cancellation.onCancel(listener);
  }

  notify(notification: JsonRpcNotification): boolean {
    return this.send(notification);
  }

  send(message: JsonRpcRequest | JsonRpcNotification): boolean {
    return !this.done && this.port.offer(JSON.stringify(message));
  }

  onLost(listener: (reason: string) => void): void {
    this.onCancel((reason) => listener((reason as Error).message));
  }

  /** Ends the exchange with its answer. */
  finish(body: string): void {
    if (this.done) return;
    this.end();
    this.port.send(body);
  }

  /** Ends the exchange without an answer, for the client's sake or because nobody waits for it. */
  cancel(message: string): void {
    if (this.done) return;
    this.end();
    this.cancellation.cancel(message);
  }

  /** The client of a subscription is told; of other requests the protocol wants nothing said. */
  drop(): void {
    if (this.done) return;
    this.cancel('The server dropped the request.');
    if (this.isSubscription) this.port.send(JSON.stringify(this.teardown()));
  }

  private end(): void {
    this.done = true;
    this.port.forget(this.message.id);
  }

  private teardown(): JsonRpcNotification {
    const { id } = this.message;
    return {
      jsonrpc: '2.0',
      method: McpNotificationMethod.Cancelled,
      params: { _meta: { [MetaKey.SubscriptionId]: id }, requestId: id },
    };
  }
}
