import { type McpSessionRecord, McpSessionStore } from '@dacapo/mcp';
import type { Redis } from 'ioredis';
import { RedisLink } from './connection/redis-link.js';
import { type RedisPartOptions, resolvePartOptions } from './options/redis-part-options.js';
import { wholeMs } from './options/whole-ms.js';

/** Keeps the sessions of clients of earlier revisions in Redis, for every instance; they expire by its clock. */
export class RedisSessionStore extends McpSessionStore {
  private readonly link: RedisLink;
  private readonly prefix: string;

  /** @throws InvalidRedisOptionsException */
  constructor(redis: Redis, options: RedisPartOptions = {}) {
    super();
    const { prefix, timeoutMs } = resolvePartOptions(options);
    this.link = new RedisLink(redis, timeoutMs);
    this.prefix = prefix;
  }

  /** @throws RedisUnavailableException */
  override async save(id: string, record: McpSessionRecord, ttlMs: number): Promise<void> {
    const text = JSON.stringify(record);
    await this.link.ask((redis) => redis.set(this.keyOf(id), text, 'PX', wholeMs(ttlMs)));
  }

  /** @throws RedisUnavailableException */
  override async load(id: string): Promise<McpSessionRecord | undefined> {
    const text = await this.link.ask((redis) => redis.get(this.keyOf(id)));
    return text === null ? undefined : (JSON.parse(text) as McpSessionRecord);
  }

  /** @throws RedisUnavailableException */
  override async remove(id: string): Promise<void> {
    await this.link.ask((redis) => redis.unlink(this.keyOf(id)));
  }

  private keyOf(id: string): string {
    return `${this.prefix}:session:${id}`;
  }
}
