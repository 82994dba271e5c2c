import type { Redis } from 'ioredis';

/** Where a connection looks for Redis, without its credentials. */
export function addressOf({ options }: Redis): string {
  if (options.path) return options.path;
  if (options.sentinels) {
    return `${options.name ?? 'a primary'} of ${options.sentinels.length} sentinels`;
  }
  return `${options.host ?? 'localhost'}:${options.port ?? 6379}`;
}
