import type { JsonRpcNotification, RequestId, RequestMeta } from '../protocol/index.js';
import type { McpClient } from './mcp-client.js';

/** What carried a request to the server. */
export type McpTransport = 'http';

/** Headers with names in lower case, as Node parses them. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Where a request came from: the part of an exchange that the transport knows. */
export interface McpOrigin {
  readonly transport: McpTransport;
  readonly headers: McpHeaders;
  /** The adapter's own request (Express, Fastify), for what middleware left on it. */
  readonly request: unknown;
  /** Made on first use; aborts when the client goes away. */
  signal(): AbortSignal;
  /** Sends a notification on the stream of this request. */
  notify(notification: JsonRpcNotification): void;
}

/**
 * One request and what surrounds it. Guards, interceptors and pipes reach it through
 * `McpExecutionContext`; request-scoped providers inject it as `REQUEST`.
 */
export class McpExchange {
  /** The caller, as the principal source names it; set before guards run. */
  principal: string | null = null;

  constructor(
    readonly id: RequestId,
    readonly method: string,
    readonly protocolVersion: string,
    readonly client: McpClient,
    /** `params._meta`: trace context, progress token and the like. */
    readonly meta: RequestMeta,
    private readonly origin: McpOrigin,
  ) {}

  get transport(): McpTransport {
    return this.origin.transport;
  }

  /** Names in lower case. */
  get headers(): McpHeaders {
    return this.origin.headers;
  }

  /** The adapter's request. */
  get request(): unknown {
    return this.origin.request;
  }

  /** Aborts when the client closes the stream: stop working then. */
  get signal(): AbortSignal {
    return this.origin.signal();
  }

  /** @internal Sends a notification on the stream of this request. */
  notify(notification: JsonRpcNotification): void {
    this.origin.notify(notification);
  }
}
