import type { Redis } from 'ioredis';
import { RedisConversationGuard } from '@dacapo/redis';
import { connectRedis, describeWithRedis, somePrefix } from '../support/redis.js';

const LONG_MS = 60_000;

describeWithRedis('RedisConversationGuard', () => {
  let prefix: string;
  let guard: RedisConversationGuard;
  let other: RedisConversationGuard;
  let redis: Redis;

  beforeEach(() => {
    prefix = somePrefix();
    redis = connectRedis();
    guard = new RedisConversationGuard(connectRedis(), { prefix });
    other = new RedisConversationGuard(connectRedis(), { prefix });
  });

  /** Forgets a key at once, as Redis does when its time has come. */
  const expire = (kind: 'round' | 'result', key: string): Promise<number> =>
    redis.unlink(`${prefix}:${kind}:${key}`);
  const ttlOf = (kind: 'round' | 'result', key: string): Promise<number> =>
    redis.pttl(`${prefix}:${kind}:${key}`);

  it('gives a round to one of those who claim it, on whatever instance', async () => {
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? guard : other).claim('c/2', String(index), LONG_MS),
      ),
    );
    const winner = claims.findIndex(({ type }) => type === 'claimed');
    const lost = claims.filter((_, index) => index !== winner);
    expect(lost).toEqual(lost.map(() => ({ type: 'consumed', digest: String(winner) })));
    expect(lost).toHaveLength(19);
    expect(await guard.claim('c/3', 'x', LONG_MS)).toEqual({ type: 'claimed' });
  });

  it('knows the result of a round as long as it is kept, and that it was played for longer', async () => {
    await guard.claim('c/2', 'a', LONG_MS);
    await guard.record('c/2', '{"x":"\\ud800 ü"}', 1_000);
    const known = { type: 'consumed', digest: 'a', result: '{"x":"\\ud800 ü"}' };
    expect(await guard.claim('c/2', 'a', LONG_MS)).toEqual(known);
    expect(await other.claim('c/2', 'b', LONG_MS)).toEqual(known);
    expect(await ttlOf('result', 'c/2')).toBeLessThanOrEqual(1_000);
    expect(await ttlOf('round', 'c/2')).toBeGreaterThan(LONG_MS / 2);
    await expire('result', 'c/2');
    expect(await other.claim('c/2', 'a', LONG_MS)).toEqual({ type: 'consumed', digest: 'a' });
    await expire('round', 'c/2');
    expect(await other.claim('c/2', 'a', LONG_MS)).toEqual({ type: 'claimed' });
  });

  it('remembers a round at least as long as its result', async () => {
    await guard.claim('c/2', 'a', 1_000);
    await guard.record('c/2', '{}', LONG_MS);
    expect(await ttlOf('round', 'c/2')).toBeGreaterThanOrEqual(await ttlOf('result', 'c/2'));
  });

  it('has no result of a round from one that was played before it under the same key', async () => {
    await guard.claim('c/2', 'a', LONG_MS);
    await guard.record('c/2', '{}', LONG_MS);
    await expire('round', 'c/2');
    expect(await guard.claim('c/2', 'a', LONG_MS)).toEqual({ type: 'claimed' });
    expect(await other.claim('c/2', 'a', LONG_MS)).toEqual({ type: 'consumed', digest: 'a' });
  });

  it('records nothing of a round that nobody has claimed', async () => {
    await guard.record('c/2', '{}', LONG_MS);
    expect(await redis.exists(`${prefix}:result:c/2`)).toBe(0);
  });

  it('takes any time, if only for a moment', async () => {
    await guard.claim('c/2', 'a', 0);
    await guard.claim('c/3', 'a', 60_000.5);
    await guard.record('c/3', '{}', 0.1);
    expect(await ttlOf('round', 'c/3')).toBeGreaterThan(LONG_MS / 2);
  });
});
