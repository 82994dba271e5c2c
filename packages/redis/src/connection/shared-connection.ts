import type { Redis } from 'ioredis';
import { InvalidRedisOptionsException } from '../exceptions/invalid-redis-options.exception.js';
import type { McpRedisModuleOptions } from '../mcp-redis-module-options.interface.js';
import { resolvePartOptions } from '../options/redis-part-options.js';
import { resolvePlayOptions } from '../runner/bull-task-runner-options.js';
import { openConnection } from './open-connection.js';
import { RedisLink } from './redis-link.js';
import { within } from './within.js';

const MEND = "Give one of them, such as url: 'redis://127.0.0.1:6379'";

/** The connection that everything of the module asks Redis through. */
export class SharedConnection {
  private constructor(
    readonly redis: Redis,
    private readonly isOwn: boolean,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Resolves when Redis has answered.
   * @throws InvalidRedisOptionsException
   * @throws RedisUnavailableException
   */
  static async open(options: McpRedisModuleOptions): Promise<SharedConnection> {
    const { url, connection, runner = {} } = options;
    const { timeoutMs } = resolvePartOptions(options);
    resolvePlayOptions(runner);
    const shared =
      connection === undefined
        ? new SharedConnection(openConnection(checkedUrl(url), timeoutMs), true, timeoutMs)
        : new SharedConnection(checkedConnection(connection, url), false, timeoutMs);
    try {
      await new RedisLink(shared.redis, timeoutMs).ask((redis) => redis.ping());
    } catch (error) {
      shared.drop();
      throw error;
    }
    return shared;
  }

  /** Closes it when all has been answered that was asked; what was given stays open. */
  async close(): Promise<void> {
    if (this.isOwn) await within(this.timeoutMs, this.redis.quit());
    this.drop();
  }

  private drop(): void {
    if (this.isOwn) this.redis.disconnect();
  }
}

/** The url itself is never told: it may hold a password. */
function checkedUrl(url: unknown): string {
  if (url === undefined) {
    throw new InvalidRedisOptionsException('url', 'is missing, and so is connection', MEND);
  }
  if (typeof url !== 'string' || !/^rediss?:\/\/./.test(url) || !URL.canParse(url)) {
    throw new InvalidRedisOptionsException(
      'url',
      'is no address of Redis',
      'Give one such as redis://user:password@host:6379/0, or rediss://… for TLS',
    );
  }
  return url;
}

function checkedConnection(connection: Redis, url: unknown): Redis {
  if (url !== undefined) {
    throw new InvalidRedisOptionsException('url', 'is there beside connection', MEND);
  }
  return connection;
}
