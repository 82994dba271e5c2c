import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  expiresAtMs,
  McpTaskStore,
  type TaskChange,
  TaskExistsException,
  type TaskRecord,
} from '@dacapo/tasks';
import type { Redis } from 'ioredis';
import { RedisLink } from './connection/redis-link.js';
import { TaskContentionException } from './exceptions/task-contention.exception.js';
import { type RedisPartOptions, resolvePartOptions } from './options/redis-part-options.js';

/** KEYS: the task. ARGV: of the write its name, record and when it expires. */
const CREATE = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  return redis.call('HGET', KEYS[1], 'write') == ARGV[1] and 1 or 0
end
redis.call('HSET', KEYS[1], 'write', ARGV[1], 'record', ARGV[2])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1`;

/** KEYS: the task. ARGV: the write that was read; of the new one its name, record and when it expires. */
const REPLACE = `
local last = redis.call('HGET', KEYS[1], 'write')
if last == ARGV[2] then return 1 end
if last ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'write', ARGV[2], 'record', ARGV[3])
redis.call('PEXPIREAT', KEYS[1], ARGV[4])
return 1`;

/** The longest pause before a change is tried again that another one has overtaken, in milliseconds. */
const MAX_PAUSE_MS = 20;

/**
 * Keeps tasks in Redis, for every instance.
 *
 * 1. A task is one key, a hash of its record and of the name of its last write. It expires by itself,
 *    by the clock of Redis.
 * 2. A change is written only over the write it was made of; what another one has overtaken is made
 *    anew. Names of writes are random, so that a change that is sent twice, because a connection was
 *    lost under way, is done once.
 */
export class RedisTaskStore extends McpTaskStore {
  private readonly link: RedisLink;
  private readonly prefix: string;

  /** @throws InvalidRedisOptionsException */
  constructor(redis: Redis, options: RedisPartOptions = {}) {
    super();
    const { prefix, timeoutMs } = resolvePartOptions(options);
    this.link = new RedisLink(redis, timeoutMs);
    this.prefix = `${prefix}:task:`;
  }

  override async create(record: TaskRecord): Promise<void> {
    const created = await this.write(CREATE, record.taskId, [], record, JSON.stringify(record));
    if (!created) throw new TaskExistsException();
  }

  override async get(taskId: string): Promise<TaskRecord | undefined> {
    return (await this.read(taskId))?.record;
  }

  override async delete(taskId: string): Promise<void> {
    await this.link.ask((redis) => redis.del(this.keyOf(taskId)));
  }

  protected override async replace(
    taskId: string,
    change: TaskChange,
  ): Promise<TaskRecord | undefined> {
    const giveUpAt = Date.now() + this.link.timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const current = await this.read(taskId);
      if (current === undefined) return undefined;
      const changed = change(current.record);
      if (changed === current.record) return changed;
      const json = JSON.stringify(changed);
      if (await this.write(REPLACE, taskId, [current.write], changed, json)) {
        return JSON.parse(json) as TaskRecord;
      }
      if (Date.now() > giveUpAt) throw new TaskContentionException(attempt, this.link.timeoutMs);
      await sleep(Math.random() * Math.min(attempt, MAX_PAUSE_MS));
    }
  }

  private async read(taskId: string): Promise<{ record: TaskRecord; write: string } | undefined> {
    const [write, record] = await this.link.ask((redis) =>
      redis.hmget(this.keyOf(taskId), 'write', 'record'),
    );
    if (typeof write !== 'string' || typeof record !== 'string') return undefined;
    return { write, record: JSON.parse(record) as TaskRecord };
  }

  private async write(
    script: string,
    taskId: string,
    seen: readonly string[],
    record: TaskRecord,
    json: string,
  ): Promise<boolean> {
    const write = randomBytes(16).toString('base64url');
    const outcome = await this.link.ask((redis) =>
      redis.eval(script, 1, this.keyOf(taskId), ...seen, write, json, expiresAtMs(record)),
    );
    return outcome === 1;
  }

  private keyOf(taskId: string): string {
    return this.prefix + taskId;
  }
}
