import type { JsonRpcNotification, ProgressToken } from '../protocol/index.js';

/** What a server can be reached by from outside of its process. */
export type McpTransport = 'http' | 'stdio';

/** What carried a request to the server. */
export type McpCarrier = McpTransport | 'in-process' | 'task';

/** Headers with names in lower case, as Node parses them. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Where a request came from: the part of an exchange that the transport knows. */
export interface McpOrigin {
  readonly transport: McpCarrier;
  readonly headers: McpHeaders;
  /** The adapter's own request (Express, Fastify), for what middleware left on it. */
  readonly request: unknown;
  /** Whether a client of an earlier revision has sent it, whose headers mirror nothing of the body. */
  readonly isEarlier?: boolean;
  /** Whether rounds are played again after each answer and step: for tests, and never from outside. */
  readonly rehearsed?: boolean;
  /** Who wants to hear of progress, in place of whom the request names. */
  readonly progressToken?: ProgressToken;
  /** True once the client has gone away or taken the request back. */
  readonly cancelled: boolean;
  /** Calls back when that happens; at once if it has happened. */
  onCancel(listener: (reason: unknown) => void): void;
  /**
   * Sends a notification on the stream of this request. `false` when it was left out: the client
   * reads so slowly that more would pile up.
   */
  notify(notification: JsonRpcNotification): boolean;
  /** Ends the exchange without an answer, as a lost connection would. */
  drop(): void;
}
