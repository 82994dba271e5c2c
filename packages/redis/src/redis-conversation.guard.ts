import { randomBytes } from 'node:crypto';
import { McpConversationGuard, type RoundClaim } from '@dacapo/mcp';
import type { Redis } from 'ioredis';
import { RedisLink } from './connection/redis-link.js';
import { type RedisPartOptions, resolvePartOptions } from './options/redis-part-options.js';
import { wholeMs } from './options/whole-ms.js';

/** KEYS: the claim, its result. ARGV: who claims, the digest, how long it is remembered. */
const CLAIM = `
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'by', ARGV[1], 'digest', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('DEL', KEYS[2])
  return {}
end
local claim = redis.call('HMGET', KEYS[1], 'by', 'digest')
if claim[1] == ARGV[1] then return {} end
return {claim[2], redis.call('GET', KEYS[2])}`;

/** KEYS: the claim, its result. ARGV: the result, how long it is kept. */
const RECORD = `
if redis.call('EXISTS', KEYS[1]) == 0 then return end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end`;

/**
 * Remembers in Redis which rounds have been played, for every instance.
 *
 * 1. A claim is made in one step. One that is sent twice, because a connection was lost under way, is
 *    one claim.
 * 2. A result may be forgotten before its claim, never the other way round.
 */
export class RedisConversationGuard extends McpConversationGuard {
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
  override async claim(key: string, digest: string, ttlMs: number): Promise<RoundClaim> {
    const by = randomBytes(16).toString('base64url');
    const [taken, result] = (await this.link.ask((redis) =>
      redis.eval(CLAIM, 2, ...this.keysOf(key), by, digest, wholeMs(ttlMs)),
    )) as [digest?: string, result?: string | null];
    if (taken === undefined) return { type: 'claimed' };
    return { type: 'consumed', digest: taken, ...(typeof result === 'string' && { result }) };
  }

  /** @throws RedisUnavailableException */
  override async record(key: string, result: string, ttlMs: number): Promise<void> {
    await this.link.ask((redis) =>
      redis.eval(RECORD, 2, ...this.keysOf(key), result, wholeMs(ttlMs)),
    );
  }

  private keysOf(key: string): [claim: string, result: string] {
    return [`${this.prefix}:round:${key}`, `${this.prefix}:result:${key}`];
  }
}
