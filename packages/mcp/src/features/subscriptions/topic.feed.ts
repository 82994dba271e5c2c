import { Logger } from '@nestjs/common';
import { McpException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { isJsonObject } from '../../protocol/index.js';
import { type ExtensionTopic, requireExtension } from '../extensions/index.js';
import { readKeys } from './subscription-filter.js';

const logger = new Logger('McpSubscriptions');

/** Sends a notification to the client of a subscription. */
export type Tell = (method: string, params: Record<string, unknown>) => void;

/**
 * Tells one client of the things of an extension that it listens for.
 *
 * 1. What is told is how a thing stands: what has changed while that was being read is read again, so
 *    that the last word is the latest, and no older one comes after it.
 * 2. It begins with how each of them stands: a change before the subscription is not lost.
 */
export class TopicFeed {
  /** Things that are being read, and whether they have changed since. */
  private readonly reading = new Map<string, boolean>();

  constructor(
    private readonly source: ExtensionTopic,
    private readonly keys: ReadonlySet<string>,
    private readonly exchange: McpExchange,
  ) {}

  get extension(): string {
    return this.source.extension;
  }

  /** The member of the filter, as it is honoured. */
  get honoured(): Readonly<Record<string, readonly string[]>> {
    return { [this.source.topic.member]: [...this.keys] };
  }

  has(key: string): boolean {
    return this.keys.has(key);
  }

  begin(tell: Tell): void {
    for (const key of this.keys) this.changed(key, tell);
  }

  changed(key: string, tell: Tell): void {
    if (this.reading.has(key)) this.reading.set(key, true);
    else void this.read(key, tell);
  }

  private async read(key: string, tell: Tell): Promise<void> {
    do {
      this.reading.set(key, false);
      try {
        const notification = await this.source.topic.notification(key, this.exchange);
        if (notification !== undefined) tell(notification.method, notification.params);
      } catch (error) {
        if (!(error instanceof McpException)) logger.error(error);
      }
    } while (this.reading.get(key) === true);
    this.reading.delete(key);
  }
}

/**
 * The topics that a client has asked for.
 * @throws InvalidParamsException | MissingRequiredClientCapabilityException
 */
export async function openFeeds(
  topics: readonly ExtensionTopic[],
  filter: unknown,
  exchange: McpExchange,
  maxKeys: number,
): Promise<readonly TopicFeed[]> {
  const feeds: TopicFeed[] = [];
  for (const source of topics) {
    const { extension, topic } = source;
    const wanted = isJsonObject(filter) ? readKeys(filter, topic.member, 'keys', maxKeys) : [];
    if (wanted.length === 0) continue;
    requireExtension(exchange, extension);
    feeds.push(new TopicFeed(source, new Set(await topic.honour(wanted, exchange)), exchange));
  }
  return feeds;
}
