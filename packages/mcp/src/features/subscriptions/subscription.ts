import { AsyncResource } from 'node:async_hooks';
import type { McpChangedThing } from '../../changes/index.js';
import type { McpExchange } from '../../exchange/index.js';
import {
  McpNotificationMethod,
  MetaKey,
  type Result,
  type SubscriptionFilter,
} from '../../protocol/index.js';
import { filterMatcher } from './subscription-filter.js';
import type { TopicFeed } from './topic.feed.js';

/**
 * One open `subscriptions/listen`.
 *
 * 1. The acknowledgement is its first message; everything it sends carries its id, the id of the
 *    request.
 * 2. It ends once: by the client, by the server with a final response, or, when the client reads too
 *    slowly, without one. Nothing is sent after that.
 * 3. What is decided for its client is decided in the context of the request that opened it: guards
 *    and rules find in an `AsyncLocalStorage` what they would find when the client reads.
 */
export class Subscription {
  private readonly matches: (change: McpChangedThing) => boolean;
  private readonly origin = new AsyncResource('McpSubscription');
  private readonly meta: { readonly [MetaKey.SubscriptionId]: string | number };
  private end!: () => void;
  private ended = false;
  private readonly over = new Promise<void>((resolve) => (this.end = resolve));

  constructor(
    readonly exchange: McpExchange,
    private readonly filter: SubscriptionFilter,
    private readonly feeds: readonly TopicFeed[] = [],
  ) {
    this.matches = filterMatcher(filter);
    this.meta = { [MetaKey.SubscriptionId]: exchange.id };
  }

  /** Acknowledges, and resolves with the final response when the subscription has ended. */
  async run(): Promise<Result> {
    this.exchange.onAbort(() => this.close());
    const notifications = this.feeds.reduce<SubscriptionFilter>(
      (filter, { honoured }) => ({ ...filter, ...honoured }),
      this.filter,
    );
    this.send(McpNotificationMethod.SubscriptionsAcknowledged, { notifications });
    for (const feed of this.feeds) feed.begin(this.send);
    await this.over;
    return { resultType: 'complete', _meta: this.meta };
  }

  /** Whether its client has asked for a change. */
  wants(change: McpChangedThing): boolean {
    return change.type === 'extension'
      ? this.feedOf(change.extension)?.has(change.key) === true
      : this.matches(change);
  }

  /** Runs what is decided for its client, with everything that it awaits, in the client's context. */
  within(work: () => void): void {
    this.origin.runInAsyncScope(work);
  }

  /** Tells its client of a change it has asked for. */
  tell(change: McpChangedThing): void {
    switch (change.type) {
      case 'tools':
        this.send(McpNotificationMethod.ToolsListChanged);
        break;
      case 'prompts':
        this.send(McpNotificationMethod.PromptsListChanged);
        break;
      case 'resources':
        this.send(McpNotificationMethod.ResourcesListChanged);
        break;
      case 'resource':
        this.send(McpNotificationMethod.ResourcesUpdated, { uri: change.uri });
        break;
      case 'extension':
        this.feedOf(change.extension)?.changed(change.key, this.send);
    }
  }

  close(): void {
    this.ended = true;
    this.end();
  }

  private feedOf(extension: string): TopicFeed | undefined {
    return this.feeds.find((feed) => feed.extension === extension);
  }

  private readonly send = (method: string, params: Record<string, unknown> = {}): void => {
    if (this.ended) return;
    const sent = this.exchange.notify({
      jsonrpc: '2.0',
      method,
      params: { _meta: this.meta, ...params },
    });
    // A client that has missed a change must not believe that it has heard them all.
    if (!sent) {
      this.ended = true;
      this.exchange.drop();
    }
  };
}
