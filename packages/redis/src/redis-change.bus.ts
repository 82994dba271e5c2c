import { type McpChange, McpChangeBus } from '@dacapo/mcp';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { openWaitingConnection } from './connection/open-connection.js';
import { RedisLink } from './connection/redis-link.js';
import { type RedisPartOptions, resolvePartOptions } from './options/redis-part-options.js';

type Listener = (change: McpChange) => void;

/** How often Redis is asked whether it is still there, in milliseconds: a dead line says nothing by itself. */
const PING_MS = 10_000;

/**
 * Carries changes over a channel of Redis, to every instance that shares it.
 *
 * 1. Everybody that listens shares one connection of its own, opened by the first and closed after the
 *    last.
 * 2. When that connection is lost it is opened again, and listens again. What is published meanwhile is
 *    missed: Redis keeps no message for anybody.
 * 3. What is no JSON is logged and left out.
 */
export class RedisChangeBus extends McpChangeBus {
  private readonly logger = new Logger('RedisChangeBus');
  private readonly link: RedisLink;
  private readonly channel: string;
  private readonly listeners = new Set<Listener>();
  private line: ListeningLine | undefined;

  /** @throws InvalidRedisOptionsException */
  constructor(redis: Redis, options: RedisPartOptions = {}) {
    super();
    const { prefix, timeoutMs } = resolvePartOptions(options);
    this.link = new RedisLink(redis, timeoutMs);
    this.channel = `${prefix}:changes`;
  }

  /** @throws RedisUnavailableException */
  override async publish(change: McpChange): Promise<void> {
    await this.link.ask((redis) => redis.publish(this.channel, JSON.stringify(change)));
  }

  /** @throws RedisUnavailableException */
  override async subscribe(listener: Listener): Promise<() => void> {
    // Two that listen with one function are two.
    const own: Listener = (change) => listener(change);
    this.listeners.add(own);
    this.line ??= new ListeningLine(this.link, this.channel, (text) => this.deliver(text));
    const leave = (): void => this.leave(own);
    try {
      await this.line.listening;
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Ends what listens. The connection it was given stays open. */
  close(): void {
    this.listeners.clear();
    this.line?.close();
    this.line = undefined;
  }

  private leave(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size === 0) this.close();
  }

  private deliver(text: string): void {
    let change: McpChange;
    try {
      change = JSON.parse(text) as McpChange;
    } catch {
      this.logger.warn(`A message of ${text.length} characters on ${this.channel} is no JSON.`);
      return;
    }
    for (const listener of this.listeners) listener(change);
  }
}

/** A connection that listens to one channel. */
class ListeningLine {
  /** Resolves when everything that is published is heard. */
  readonly listening: Promise<unknown>;
  private readonly redis: Redis;
  private readonly pings: NodeJS.Timeout;

  constructor(link: RedisLink, channel: string, hear: (text: string) => void) {
    this.redis = openWaitingConnection(link.redis, 'dacapo-changes', link.timeoutMs);
    this.redis.on('message', (_channel, text) => hear(text));
    this.redis.on('ready', () => void this.listenAgain(channel));
    this.listening = this.listen(link, channel);
    this.pings = setInterval(() => this.ping(), PING_MS).unref();
  }

  close(): void {
    clearInterval(this.pings);
    this.redis.disconnect();
  }

  private async listen(link: RedisLink, channel: string): Promise<void> {
    // This one waits for Redis as long as it takes, and would not say why.
    await link.ask((redis) => redis.ping());
    await link.ask(() => this.redis.subscribe(channel));
  }

  private async listenAgain(channel: string): Promise<void> {
    try {
      await this.redis.subscribe(channel);
    } catch {
      // It was lost again, and listens when it is back; or it was closed.
    }
  }

  /** What is not answered closes the connection, and another one is opened. */
  private ping(): void {
    if (this.redis.status === 'ready') this.redis.ping().catch(() => undefined);
  }
}
