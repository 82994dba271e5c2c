import { inspect } from 'node:util';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import {
  isMcpChange,
  type McpChange,
  McpChangeBus,
  type McpChangedList,
  type McpChangedThing,
} from '../../changes/index.js';
import { McpException, TooManySubscriptionsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import type { VisibilityRule } from '../../pipeline/index.js';
import type { Awaitable, Result } from '../../protocol/index.js';
import { DiscoverFeature } from '../discover/index.js';
import { ExtensionRegistry } from '../extensions/index.js';
import { mayKnow } from '../lists/may-know.js';
import { ResourcesFeature } from '../resources/index.js';
import { Subscription } from './subscription.js';
import { honoured, readFilter } from './subscription-filter.js';
import { openFeeds } from './topic.feed.js';

/** What of a message that is no change is logged, in characters. */
const MAX_EXCERPT_LENGTH = 200;

/**
 * `subscriptions/listen`: long-lived streams of changes.
 *
 * 1. A change reaches exactly the subscriptions that asked for it, of this server only.
 * 2. Of a resource that is hidden from a subscriber, or that its guards refuse, nothing is told: they
 *    are asked anew for every change, in the context of the subscriber.
 * 3. A list whose change is hidden is told of to those only who may know what has come or gone.
 * 4. On shutdown every subscription ends with its final response, before connections are closed and
 *    whatever becomes of the bus.
 * 5. Whatever a bus delivers, nothing is thrown at it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
@Injectable()
export class SubscriptionsFeature implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('McpSubscriptions');
  private readonly open = new Set<Subscription>();
  private unsubscribe: () => Awaitable<void> = () => undefined;
  private closing = false;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly bus: McpChangeBus,
    private readonly resources: ResourcesFeature,
    private readonly discovery: DiscoverFeature,
    private readonly extensions: ExtensionRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    this.unsubscribe = await this.bus.subscribe((change) => this.deliver(change));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.closing = true;
    for (const subscription of this.open) subscription.close();
    // The final responses are written in the turns that follow.
    await new Promise(setImmediate);
    await this.leaveBus();
  }

  /** A bus that cannot be left is no reason to stay. */
  private async leaveBus(): Promise<void> {
    try {
      await this.unsubscribe();
    } catch (error) {
      this.logger.error(error);
    }
  }

  /** Resolves when the subscription has ended. */
  async listen(exchange: McpExchange, params: Record<string, unknown>): Promise<Result> {
    const { maxResources } = this.options.subscriptions;
    const notifications = params['notifications'];
    const wanted = readFilter(notifications, maxResources);
    this.refuseIfFull();
    const { topics } = this.extensions;
    const feeds = await openFeeds(topics, notifications, exchange, maxResources);
    this.refuseIfFull();
    const filter = honoured(wanted, this.discovery.capabilities);
    const subscription = new Subscription(exchange, filter, feeds);
    this.open.add(subscription);
    try {
      return await subscription.run();
    } finally {
      this.open.delete(subscription);
    }
  }

  private refuseIfFull(): void {
    const { maxOpen } = this.options.subscriptions;
    if (this.closing) throw new TooManySubscriptionsException('The server is shutting down.');
    if (this.open.size >= maxOpen) {
      throw new TooManySubscriptionsException(
        `${this.open.size} of ${maxOpen} subscriptions are open already.`,
      );
    }
  }

  /**
   * Tells of a list in which something has changed that is under rules: those who pass one of them. On
   * this instance only, since rules cannot travel.
   */
  tellWhoMayKnow(list: McpChangedList, rules: readonly VisibilityRule[]): void {
    this.tell({ type: list }, (exchange) => passesAny(rules, exchange));
  }

  /** @param message what the bus calls a change */
  private deliver(message: unknown): void {
    if (!isMcpChange(message)) {
      this.logger.warn(`The change bus has delivered what is no change: ${excerpt(message)}`);
    } else if (message.server === this.options.scope) {
      if (message.type === 'extension') this.extensions.tell(message);
      this.tell(message, (exchange) => this.mayHear(message, exchange));
    }
  }

  private tell(
    thing: McpChangedThing,
    mayHear: (exchange: McpExchange) => Awaitable<boolean>,
  ): void {
    for (const subscription of this.open) {
      if (!subscription.wants(thing)) continue;
      subscription.within(() => void this.tellIf(mayHear, subscription, thing));
    }
  }

  private async tellIf(
    mayHear: (exchange: McpExchange) => Awaitable<boolean>,
    subscription: Subscription,
    thing: McpChangedThing,
  ): Promise<void> {
    try {
      if (await mayHear(subscription.exchange)) subscription.tell(thing);
    } catch (error) {
      // A visibility rule may refuse a caller by an HttpException; that is no error of the server.
      if (!(error instanceof McpException)) this.logger.error(error);
    }
  }

  /** Of lists it was decided where they have changed. */
  private mayHear(change: McpChange, exchange: McpExchange): Awaitable<boolean> {
    return change.type !== 'resource' || this.resources.mayHearOf(change.uri, exchange);
  }
}

async function passesAny(
  rules: readonly VisibilityRule[],
  exchange: McpExchange,
): Promise<boolean> {
  for (const rule of rules) {
    try {
      if (await mayKnow(rule, exchange)) return true;
    } catch {
      // What one rule has to tell the caller says nothing of the others.
    }
  }
  return false;
}

function excerpt(message: unknown): string {
  return inspect(message, {
    depth: 1,
    breakLength: Infinity,
    customInspect: false,
    maxStringLength: MAX_EXCERPT_LENGTH,
  }).slice(0, MAX_EXCERPT_LENGTH);
}
