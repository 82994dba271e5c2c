import {
  DuplicateRequestIdException,
  InvalidParamsException,
  InvalidRequestException,
  MethodNotFoundException,
} from '../../exceptions/index.js';
import {
  isLogLevel,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  LegacyMethod,
  LOG_LEVELS,
  type LogLevel,
  McpMethod,
  McpNotificationMethod,
  type RequestId,
  type SubscriptionFilter,
} from '../../protocol/index.js';
import type { ResolvedOptions } from '../../options/index.js';
import type { McpDispatcher } from '../../server/index.js';
import { deferred } from './deferred.js';
import type { LegacyClient } from './legacy-client.js';
import { type LegacyLine, standingLine } from './legacy-line.js';
import { LegacyExchange } from './legacy.exchange.js';
import { legacyNotification, legacyResult } from './legacy-result.js';
import { type ClientResponse, LiveAsks } from './live-asks.js';
import { liveCall } from './live-call.js';
import { modernRequest } from './modern-request.js';
import { PASSED_ON } from './passed-on.js';

const LISTS: SubscriptionFilter = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
};

export interface LegacySessionSetup {
  readonly id: string;
  /** Whose session it is. */
  readonly principal: string | null;
  readonly client: LegacyClient;
  readonly dispatcher: McpDispatcher;
  readonly options: ResolvedOptions;
  /** Sends what belongs to no request; `false` when it was left out because too much waits already. */
  readonly outbox: (message: JsonRpcNotification) => boolean;
}

/**
 * What a client of an earlier revision has said once, and what goes on with it.
 *
 * 1. Every request becomes one of this revision, and its answer one of the client's: what runs is the
 *    same for all clients.
 * 2. No two requests in flight share an id.
 * 3. When it ends, what goes on for it ends: calls, questions, subscriptions.
 */
export class LegacySession {
  readonly id: string;
  readonly principal: string | null;
  readonly client: LegacyClient;
  private readonly dispatcher: McpDispatcher;
  private readonly asks: LiveAsks;
  private readonly calls = new Map<RequestId, LegacyExchange>();
  private readonly watched = new Map<string, LegacyExchange>();
  private listening: LegacyExchange | undefined;
  private listened = 0;
  /** What the client wants to hear of the log; `undefined` until it has said so. */
  logLevel: LogLevel | undefined;
  private ended = false;

  constructor(private readonly setup: LegacySessionSetup) {
    const { id, principal, client, dispatcher, options } = setup;
    this.id = id;
    this.principal = principal;
    this.client = client;
    this.dispatcher = dispatcher;
    const { maxAsks } = options.sessions;
    this.asks = new LiveAsks(client.revision, { maxAsks, ttlMs: options.replay.ttlMs });
  }

  /** Whether nothing of it is under way but listening. */
  get isIdle(): boolean {
    return this.calls.size === 0;
  }

  /** Uris of the resources whose updates the client wants to hear of. */
  get watchedUris(): readonly string[] {
    return [...this.watched.keys()];
  }

  /**
   * @returns the result in the words of the client's revision
   * @throws McpException
   */
  async serve(request: JsonRpcRequest, line: LegacyLine): Promise<object> {
    const { method, params = {} } = request;
    switch (method) {
      case LegacyMethod.Ping:
        return {};
      case LegacyMethod.SetLevel:
        return this.setLevel(params['level']);
      case LegacyMethod.Subscribe:
        return this.watch(uriOf(params), line);
      case LegacyMethod.Unsubscribe:
        return this.unwatch(uriOf(params));
      case LegacyMethod.Initialize:
        throw new InvalidRequestException('This session is initialized already.');
      default:
        if (PASSED_ON.has(method)) return this.call(request, line);
        throw new MethodNotFoundException(method);
    }
  }

  hear({ method, params }: JsonRpcNotification): void {
    if (method !== McpNotificationMethod.Cancelled) return;
    const id = params?.['requestId'];
    if (isRequestId(id)) this.calls.get(id)?.cancel('The client cancelled the request.');
  }

  answer(response: ClientResponse): void {
    this.asks.hear(response);
  }

  /** Tells the client of changes of lists from now on, once. @param line who asks, for rules and guards */
  async listen(line: LegacyLine): Promise<void> {
    if (this.listening !== undefined || this.ended) return;
    const { exchange, acknowledged } = this.subscribe(LISTS, line);
    this.listening = exchange;
    exchange.onCancel(() => (this.listening = undefined));
    try {
      await acknowledged;
    } catch (error) {
      this.listening = undefined;
      throw error;
    }
  }

  /** @param line who asks, for rules and guards */
  async watch(uri: string, line: LegacyLine): Promise<object> {
    const { maxResources } = this.setup.options.subscriptions;
    if (this.watched.has(uri) || this.ended) return {};
    if (this.watched.size >= maxResources) {
      throw new InvalidParamsException(
        `${maxResources} resources are watched already, as many as a session may. Unsubscribe from one.`,
      );
    }
    const { exchange, acknowledged } = this.subscribe({ resourceSubscriptions: [uri] }, line);
    this.watched.set(uri, exchange);
    // The server may drop it too; it can be begun again then.
    exchange.onCancel(() => this.watched.delete(uri));
    try {
      await acknowledged;
    } catch (error) {
      this.watched.delete(uri);
      throw error;
    }
    return {};
  }

  /** Nothing that the client is asked can be answered any more. */
  endAsking(): void {
    this.asks.close();
  }

  close(): void {
    this.ended = true;
    this.asks.close();
    const standing = [...this.watched.values(), this.listening];
    for (const exchange of [...this.calls.values(), ...standing]) {
      exchange?.cancel('The session has ended.');
    }
    this.watched.clear();
    this.listening = undefined;
  }

  private async call(request: JsonRpcRequest, line: LegacyLine): Promise<object> {
    const { id, method } = request;
    if (this.calls.has(id)) throw new DuplicateRequestIdException(id);
    const exchange = new LegacyExchange(line);
    this.calls.set(id, exchange);
    try {
      const { client, logLevel } = this;
      const modern = modernRequest(request, { client, logLevel });
      const result = await liveCall(this.dispatcher, modern, exchange, this.asks);
      return legacyResult(method, result, this.client.revision);
    } finally {
      exchange.finish();
      this.calls.delete(id);
    }
  }

  private setLevel(level: unknown): object {
    if (!isLogLevel(level)) {
      throw new InvalidParamsException(`params.level must be one of ${LOG_LEVELS.join(', ')}.`);
    }
    this.logLevel = level;
    return {};
  }

  private unwatch(uri: string): object {
    this.watched.get(uri)?.cancel('The client has unsubscribed.');
    return {};
  }

  /** A subscription of this revision, which goes on after the request that it begins with. */
  private subscribe(
    notifications: SubscriptionFilter,
    line: LegacyLine,
  ): { readonly exchange: LegacyExchange; readonly acknowledged: Promise<unknown> } {
    const { promise: acknowledged, resolve, reject } = deferred<unknown>();
    const exchange = new LegacyExchange(standingLine(line), (notification) => {
      if (notification.method !== McpNotificationMethod.SubscriptionsAcknowledged) {
        return this.setup.outbox(legacyNotification(notification));
      }
      resolve(undefined);
      return true;
    });
    this.listened += 1;
    const listen = modernRequest(
      {
        id: `listen-${this.listened}`,
        method: McpMethod.SubscriptionsListen,
        params: { notifications },
      },
      { client: this.client, logLevel: undefined },
    );
    this.dispatcher.result(listen, exchange).then(resolve, reject);
    return { exchange, acknowledged };
  }
}

function uriOf({ uri }: Readonly<Record<string, unknown>>): string {
  if (typeof uri === 'string') return uri;
  throw new InvalidParamsException('params.uri must be a string.');
}
