import { Logger } from '@nestjs/common';
import {
  isRequestId,
  type JsonRpcNotification,
  type ProgressToken,
  type RequestId,
  type RequestMeta,
} from '../protocol/index.js';
import { backgroundOrigin, type McpBackground } from './mcp-background.js';
import type { McpClient } from './mcp-client.js';
import type { McpCarrier, McpHeaders, McpOrigin } from './mcp-origin.js';

const logger = new Logger('McpExchange');

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
    private origin: McpOrigin,
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

  /** @internal Who hears of progress; `undefined` for nobody. */
  get progressToken(): ProgressToken | undefined {
    const { progressToken } = this.meta;
    return this.origin.progressToken ?? (isRequestId(progressToken) ? progressToken : undefined);
  }

  /** @internal Whether a client of an earlier revision has sent it. */
  get isEarlier(): boolean {
    return this.origin.isEarlier === true;
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

  /**
   * @internal Goes on without its client, whose going away ends nothing any more. What is known of the
   * request stays known.
   * @returns what gives it back to its client, who may have gone by then
   */
  carryOn(background: McpBackground): () => void {
    const { origin, transport, headers, request, rehearsed } = this;
    this.turnTo(backgroundOrigin(background, { transport, headers, request, rehearsed }));
    return () => this.turnTo(origin);
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

  private turnTo(origin: McpOrigin): void {
    this.origin = origin;
    if (this.controller !== undefined) this.heed(this.controller);
  }

  private get abortController(): AbortController {
    if (this.controller === undefined) {
      const controller = new AbortController();
      this.controller = controller;
      this.heed(controller);
    }
    return this.controller;
  }

  private heed(controller: AbortController): void {
    const { origin } = this;
    origin.onCancel((reason) => {
      if (origin === this.origin) controller.abort(reason);
    });
  }
}
