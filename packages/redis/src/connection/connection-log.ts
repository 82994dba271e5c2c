import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { addressOf } from './redis-address.js';
import { troubleOf } from './redis-trouble.js';

const logger = new Logger('McpRedis');

/** Logs that a connection is lost, and that it is back: once each, however often it is tried meanwhile. */
export function logConnection(redis: Redis): void {
  let lost = false;
  redis.on('error', (error) => {
    if (lost) return;
    lost = true;
    const { fact, mend } = troubleOf(error);
    logger.error(`Redis at ${addressOf(redis)} ${fact}. ${mend}.`);
  });
  redis.on('ready', () => {
    if (lost) logger.log(`Redis at ${addressOf(redis)} is back.`);
    lost = false;
  });
}
