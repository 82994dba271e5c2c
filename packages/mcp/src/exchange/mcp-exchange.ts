import { Logger } from '@nestjs/common';
import type { JsonRpcNotification, RequestId, RequestMeta } from '../protocol/index.js';
import type { McpClient } from './mcp-client.js';

const logger = new Logger('McpExchange');

/** What a server can be reached by from outside of its process. */
export type McpTransport = 'http' | 'stdio';

/** What carried a request to the server. */
export type McpCarrier = McpTransport | 'in-process';

/** Headers with names in lower case, as Node parses them. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Where a request came from: the part of an exchange that the transport knows. */
export interface McpOrigin {
  readonly transport: McpCarrier;
  readonly headers: McpHeaders;
  /** The adapter's own request (Express, Fastify), for what middleware left on it. */
  readonly request: unknown;
  /** Whether rounds are played again after each answer and step: for tests, and never from outside. */
  readonly rehearsed?: boolean;
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

/**
 * One request and what surrounds it. Guards, interceptors and pipes reach it through
 * `McpExecutionContext`; request-scoped providers inject it as `REQUEST`.
 */
export class McpExchange {
  /** The caller, as the principal source names it; set before guards run. */
  principal: string | null = null;
  /** Made on first use; most calls never look at it. */
  private controller?: AbortController;

  /** @internal */
  constructor(
    readonly id: RequestId,
    readonly method: string,
    readonly protocolVersion: string,
    readonly client: McpClient,
    /** `params._meta`: trace context, progress token and the like. */
    readonly meta: RequestMeta,
    private readonly origin: McpOrigin,
  ) {}

  get transport(): McpCarrier {
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

  /** Aborts when the client goes away or a time limit has passed: stop working then. */
  get signal(): AbortSignal {
    return this.abortController.signal;
  }

  /** @internal Whether its rounds are rehearsed. */
  get rehearsed(): boolean {
    return this.origin.rehearsed === true;
  }

  /** True once `signal` has aborted, or would have if anybody had looked at it. */
  get aborted(): boolean {
    return this.controller?.signal.aborted ?? this.origin.cancelled;
  }

  /** @internal Ends the work on this request: `signal` aborts with the reason. */
  abort(reason: unknown): void {
    this.abortController.abort(reason);
  }

  /** @internal Sends a notification on the stream of this request; `false` when it was left out. */
  notify(notification: JsonRpcNotification): boolean {
    return this.origin.notify(notification);
  }

  /** @internal Ends the exchange without an answer. */
  drop(): void {
    this.origin.drop();
  }

  /**
   * @internal Calls back once when the work on this request must end, at once if it must already. What
   * the listener throws is logged: nobody calls it, so nobody could catch it, and it would end the
   * process.
   */
  onAbort(listener: () => void): void {
    const { signal } = this;
    const tell = (): void => {
      try {
        listener();
      } catch (error) {
        logger.error(error);
      }
    };
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
  }

  private get abortController(): AbortController {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      this.origin.onCancel((reason) => controller.abort(reason));
    }
    return this.controller;
  }
}
