import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Redis, type RedisOptions } from 'ioredis';
import { TcpProxy } from './tcp-proxy.js';

const LOCAL = 'redis://127.0.0.1:6379';
const START_MS = 10_000;

const prefixes: string[] = [];
const opened: { disconnect: () => void }[] = [];
let own: ChildProcess | undefined;

/**
 * The Redis that specs are played against: that of `REDIS_URL`, one on this machine, or one that is
 * started for the spec where `redis-server` is installed. Where there is none, these specs are skipped
 * and say so; in CI, and with `DACAPO_REQUIRE_REDIS`, they fail.
 *
 * A spec takes a prefix of its own, and what it leaves there is removed. Nothing else is touched.
 */
export const redisUrl = await findRedis();

/** Describes what needs Redis. */
export const describeWithRedis = redisUrl === undefined ? describe.skip : describe;

/** A prefix of keys that nobody else has. */
export function somePrefix(): string {
  const prefix = `dacapo-test-${randomUUID()}`;
  prefixes.push(prefix);
  return prefix;
}

/** A connection that is closed when the spec has ended. */
export function connectRedis(options: RedisOptions = {}, url = redisUrl ?? LOCAL): Redis {
  const redis = new Redis(url, { disconnectTimeout: 100, ...options });
  redis.on('error', () => undefined);
  opened.push(redis);
  return redis;
}

/** A way to Redis that can be cut; closed when the spec has ended. */
export async function openProxy(): Promise<{ proxy: TcpProxy; url: string }> {
  const url = new URL(redisUrl ?? LOCAL);
  const proxy = await TcpProxy.open({ host: url.hostname, port: Number(url.port || 6379) });
  opened.push({ disconnect: () => void proxy.close() });
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

afterAll(async () => {
  if (redisUrl === undefined) return;
  await removeKeys(redisUrl);
  for (const each of opened.splice(0)) each.disconnect();
  if (own !== undefined) {
    own.kill();
    await once(own, 'exit');
  }
});

async function removeKeys(url: string): Promise<void> {
  const redis = new Redis(url);
  for (const prefix of prefixes.splice(0)) {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      if ((keys as string[]).length > 0) await redis.unlink(...(keys as string[]));
    }
  }
  await redis.quit();
}

async function findRedis(): Promise<string | undefined> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined) {
    if (await answers(given)) return given;
    throw new Error('REDIS_URL names a Redis that does not answer. Start it, or unset REDIS_URL.');
  }
  if (await answers(LOCAL)) return LOCAL;
  const started = await startRedis();
  if (started !== undefined) return started;
  const told =
    'No Redis: none answers on 127.0.0.1:6379, REDIS_URL is not set, and redis-server is not installed.';
  if (process.env['CI'] !== undefined || process.env['DACAPO_REQUIRE_REDIS'] !== undefined) {
    throw new Error(`${told} Here its specs must not be skipped.`);
  }
  console.warn(`${told} Its specs are skipped.`);
  return undefined;
}

async function answers(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 2_000 });
  redis.on('error', () => undefined);
  try {
    await redis.ping();
    return true;
  } catch {
    return false;
  } finally {
    redis.disconnect();
  }
}

/** Starts one that writes nothing down; resolves with its url, if there is a program to start. */
async function startRedis(): Promise<string | undefined> {
  const port = String(await freePort());
  const child = spawn('redis-server', [
    ...['--port', port, '--bind', '127.0.0.1'],
    ...['--save', '', '--appendonly', 'no'],
  ]);
  const failed = once(child, 'error').then(() => true);
  if (await Promise.race([failed, once(child, 'spawn').then(() => false)])) return undefined;
  own = child;
  child.stdout.resume();
  const url = `redis://127.0.0.1:${port}`;
  for (const giveUpAt = Date.now() + START_MS; Date.now() < giveUpAt;) {
    if (await answers(url)) return url;
  }
  throw new Error('redis-server was started and does not answer');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
