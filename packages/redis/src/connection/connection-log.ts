import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { addressOf } from './redis-address.js';
import { type RedisTrouble, troubleOf } from './redis-trouble.js';

const logger = new Logger('McpRedis');

/** Of connections that are lost, why. */
const lost = new WeakMap<Redis, RedisTrouble>();

/** Logs that a connection is lost, and that it is back: once each, however often it is tried meanwhile. */
export function logConnection(redis: Redis): void {
  redis.on('error', (error) => {
    const known = lost.has(redis);
    const trouble = troubleOf(error);
    lost.set(redis, trouble);
    if (!known) logger.error(`Redis at ${addressOf(redis)} ${trouble.fact}. ${trouble.mend}.`);
  });
  redis.on('ready', () => {
    if (lost.delete(redis)) logger.log(`Redis at ${addressOf(redis)} is back.`);
  });
}

/** Why a connection is lost, if it is one that is logged. */
export function whyLost(redis: Redis): RedisTrouble | undefined {
  return lost.get(redis);
}
