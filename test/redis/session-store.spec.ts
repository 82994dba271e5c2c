import { randomUUID } from 'node:crypto';
import type { McpSessionRecord } from '@dacapo/mcp';
import { McpRedisModule, RedisSessionStore } from '@dacapo/redis';
import { connectLegacy } from '../support/legacy-client.js';
import { connectRedis, describeWithRedis, redisUrl, somePrefix } from '../support/redis.js';
import { startServer } from '../support/test-server.js';

const LONG_MS = 60_000;

const record: McpSessionRecord = {
  principal: 'ada',
  revision: '2025-06-18',
  info: { name: 'client', version: '1' },
  capabilities: { elicitation: {} },
  isReady: true,
  logLevel: 'info',
  watched: ['docs://ü'],
};

describeWithRedis('RedisSessionStore', () => {
  it('keeps sessions for every instance, until their time is over or they are removed', async () => {
    const prefix = somePrefix();
    const [one, other] = [connectRedis(), connectRedis()].map(
      (redis) => new RedisSessionStore(redis, { prefix }),
    ) as [RedisSessionStore, RedisSessionStore];
    const id = randomUUID();
    expect(await other.load(id)).toBeUndefined();
    await one.save(id, record, LONG_MS);
    expect(await other.load(id)).toEqual(record);
    await other.save(id, { ...record, watched: [] }, 1_000.5);
    expect(await one.load(id)).toEqual({ ...record, watched: [] });
    const ttlMs = await connectRedis().pttl(`${prefix}:session:${id}`);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(1_001);
    await one.remove(id);
    await one.remove(id);
    expect(await other.load(id)).toBeUndefined();
  });

  it('has a client go on at another instance', async () => {
    const prefix = somePrefix();
    const start = () =>
      startServer({
        mcp: { legacy: 'sessions', sessionStore: { useExisting: RedisSessionStore } },
        imports: [McpRedisModule.forRoot({ url: redisUrl, prefix })],
      });
    const [first, second] = [await start(), await start()];
    let url = first.url;
    const client = await connectLegacy(first.url, { fetch: (_, init) => fetch(url, init) });
    url = second.url;
    await expect(client.ping()).resolves.toEqual({});
    await client.close();
    await Promise.all([first.close(), second.close()]);
  });
});
