import { taskStoreContract } from '@dacapo/testing/tasks';
import { RedisTaskStore } from '@dacapo/redis';
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
});
