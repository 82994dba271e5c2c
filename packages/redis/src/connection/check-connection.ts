import type { Redis } from 'ioredis';
import { InvalidRedisOptionsException } from '../exceptions/invalid-redis-options.exception.js';

/**
 * ioredis puts `keyPrefix` before some names and not before others, and BullMQ refuses it.
 * @throws InvalidRedisOptionsException
 */
export function checkConnection(redis: unknown): void {
  if (!isConnection(redis)) {
    throw new InvalidRedisOptionsException(
      'connection',
      'is no connection of ioredis',
      'Give what `new Redis(…)` of ioredis makes; Redis Cluster is not supported',
    );
  }
  if (redis.options.keyPrefix) {
    throw new InvalidRedisOptionsException(
      'connection',
      'has a keyPrefix',
      'Leave it out there, and give it as prefix here',
    );
  }
}

function isConnection(value: unknown): value is Redis {
  const { isCluster, options, duplicate } = (value ?? {}) as Partial<Redis>;
  return isCluster !== true && typeof options === 'object' && typeof duplicate === 'function';
}
