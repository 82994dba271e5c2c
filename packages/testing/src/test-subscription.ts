import type { JsonRpcNotification, SubscriptionFilter } from '@dacapo/mcp';
import { McpMethod } from '@dacapo/mcp';
import type { TestConnection } from './test-connection.js';

/** An open `subscriptions/listen`. */
export class TestSubscription {
  private readonly heard: JsonRpcNotification[] = [];
  private readonly waiting: ((notification: JsonRpcNotification) => void)[] = [];
  private readonly leaving = new AbortController();
  private readonly failed: Promise<never>;
  /** Resolves when the subscription has ended, from either side. */
  readonly ended: Promise<void>;

  /** @internal */
  constructor(connection: TestConnection, notifications: SubscriptionFilter) {
    const answer = connection.request<object>(
      McpMethod.SubscriptionsListen,
      { notifications },
      { signal: this.leaving.signal, onNotification: (notification) => this.hear(notification) },
    );
    this.failed = answer.then(() => {
      throw new Error('The subscription has ended.');
    });
    this.failed.catch(() => undefined);
    this.ended = answer.then(
      () => undefined,
      () => undefined,
    );
  }

  /** The next notification that has not been given; the first one is the acknowledgement. @throws when the subscription ends */
  next(): Promise<JsonRpcNotification> {
    const known = this.heard.shift();
    if (known !== undefined) return Promise.resolve(known);
    const next = new Promise<JsonRpcNotification>((resolve) => this.waiting.push(resolve));
    return Promise.race([next, this.failed]);
  }

  /** Ends the subscription. */
  async close(): Promise<void> {
    this.leaving.abort();
    await this.ended;
  }

  private hear(notification: JsonRpcNotification): void {
    const waiting = this.waiting.shift();
    if (waiting === undefined) this.heard.push(notification);
    else waiting(notification);
  }
}
