import { sampleRecord, taskStoreContract } from '@dacapo/testing/tasks';
import { RedisTaskStore, TaskContentionException } from '@dacapo/redis';
import { connectRedis, describeWithRedis, somePrefix } from '../support/redis.js';

describeWithRedis('RedisTaskStore', () => {
  const contract = taskStoreContract(() => {
    const options = { prefix: somePrefix() };
    return {
      store: new RedisTaskStore(connectRedis(), options),
      second: new RedisTaskStore(connectRedis(), options),
    };
  });

  it.each(contract)('%s', (_name, run) => run());

  it('keeps a task under one key, which expires by itself', async () => {
    const prefix = somePrefix();
    const redis = connectRedis();
    const store = new RedisTaskStore(redis, { prefix });
    const record = sampleRecord(Date.now());
    await store.create(record);
    await store.update(record.taskId, (current) => ({ ...current, round: 1 }));
    expect(await redis.keys(`${prefix}*`)).toEqual([`${prefix}:task:${record.taskId}`]);
    const ttlMs = await redis.pttl(`${prefix}:task:${record.taskId}`);
    expect(ttlMs).toBeGreaterThan(0);
    expect(ttlMs).toBeLessThanOrEqual(record.ttlMs);
  });

  it('keeps to its prefix', async () => {
    const redis = connectRedis();
    const record = sampleRecord(Date.now());
    await new RedisTaskStore(redis, { prefix: somePrefix() }).create(record);
    const other = new RedisTaskStore(redis, { prefix: somePrefix() });
    expect(await other.get(record.taskId)).toBeUndefined();
  });

  it('does a change once that is sent twice, since its connection was lost under way', async () => {
    const redis = connectRedis();
    const store = new RedisTaskStore(redis, { prefix: somePrefix() });
    const record = sampleRecord(Date.now());
    const evaluate = redis.eval.bind(redis) as (...args: unknown[]) => Promise<unknown>;
    redis.eval = async (...args: unknown[]) => {
      await evaluate(...args);
      return evaluate(...args);
    };
    await store.create(record);
    const changed = await store.update(record.taskId, ({ round, ...rest }) => ({
      ...rest,
      round: round + 1,
    }));
    expect(changed).toMatchObject({ round: 1, version: 2 });
    expect(await store.get(record.taskId)).toEqual(changed);
  });

  it('gives up when others change a task all the time, and changes nothing', async () => {
    const prefix = somePrefix();
    const redis = connectRedis();
    const store = new RedisTaskStore(redis, { prefix, timeoutMs: 100 });
    const record = sampleRecord(Date.now());
    await store.create(record);
    let attempts = 0;
    const change = store.update(record.taskId, (current) => {
      attempts += 1;
      // On its way before the change is.
      void redis.hset(`${prefix}:task:${record.taskId}`, 'write', `of another one, ${attempts}`);
      return { ...current, round: 1 };
    });
    const refusal = await change.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(TaskContentionException);
    expect((refusal as Error).message).toMatch(
      new RegExp(`^Others have changed the task under each of ${attempts} attempts, for 100 ms\\.`),
    );
    expect(await store.get(record.taskId)).toEqual(record);
  });
});
