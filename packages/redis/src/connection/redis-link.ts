import type { Redis } from 'ioredis';
import { RedisUnavailableException } from '../exceptions/redis-unavailable.exception.js';
import { checkConnection } from './check-connection.js';
import { whyLost } from './connection-log.js';
import { addressOf } from './redis-address.js';
import { type RedisTrouble, silentFor, troubleOf } from './redis-trouble.js';

/**
 * What Redis is asked through.
 *
 * 1. Whatever the connection is set to, a call ends within `timeoutMs`.
 * 2. What it rejects with is a `RedisUnavailableException`, and holds nothing of what was asked: errors
 *    of ioredis carry the whole command, be it a record or a password.
 */
export class RedisLink {
  /** @throws InvalidRedisOptionsException */
  constructor(
    readonly redis: Redis,
    readonly timeoutMs: number,
  ) {
    checkConnection(redis);
  }

  async ask<T>(call: (redis: Redis) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(this.unavailable(whyLost(this.redis) ?? silentFor(this.timeoutMs))),
        this.timeoutMs,
      );
    });
    try {
      return await Promise.race([this.answer(call), silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  private async answer<T>(call: (redis: Redis) => Promise<T>): Promise<T> {
    try {
      return await call(this.redis);
    } catch (error) {
      throw this.unavailable(whyLost(this.redis) ?? troubleOf(error));
    }
  }

  private unavailable({ fact, mend }: RedisTrouble): RedisUnavailableException {
    return new RedisUnavailableException(addressOf(this.redis), fact, mend);
  }
}
