import { eventually } from '@dacapo/testing/tasks';
import {
  connectRedis,
  describeWithRedis,
  openProxy,
  redisUrl,
  somePrefix,
} from '../support/redis.js';
import { CAPABLE } from '../support/task-client.js';
import { TaskInstance } from '../support/task-instance.js';
import { resultOf, send, type WireResult } from '../support/wire.js';

const TASKS = 50;
/** How many rounds an instance plays at once. */
const CONCURRENCY = 10;
const STEPS = ['read', 'write', 'close'];
const YES = { action: 'accept', content: { confirmed: true } };

async function ask(
  url: string,
  method: string,
  params: Record<string, unknown>,
): Promise<WireResult> {
  const name = String(params['taskId'] ?? params['name']);
  const meta = { 'io.modelcontextprotocol/clientCapabilities': CAPABLE };
  return resultOf(await send(url, method, params, { meta, headers: { 'mcp-name': name } }));
}

describeWithRedis('Tasks of two processes', () => {
  const instances: TaskInstance[] = [];

  afterEach(async () => {
    await Promise.all(instances.splice(0).map((instance) => instance.kill()));
  });

  it('are finished when one is killed and the other loses Redis for a while, each step counted once', async () => {
    const prefix = somePrefix();
    const { proxy, url: proxied } = await openProxy();
    const booksUrl = redisUrl ?? '';
    const start = async (url: string): Promise<TaskInstance> => {
      const runner = { concurrency: CONCURRENCY, lockMs: 2_000, retryMs: 50 };
      const redis = { url, prefix, timeoutMs: 1_000, runner };
      const instance = await TaskInstance.start({ redis, booksUrl, hold: 'write' });
      instances.push(instance);
      return instance;
    };
    const [killed, left] = [await start(booksUrl), await start(proxied)] as const;
    const created = await Promise.all(
      Array.from({ length: TASKS }, async (_, index) => {
        const { url } = index % 2 === 0 ? killed : left;
        return ask(url, 'tools/call', { name: 'importAccounts', arguments: {} });
      }),
    );
    const taskIds = created.map(({ taskId }) => taskId);

    /** Answers a question of every task, when it is asked. */
    const answer = async (url: string, key: string): Promise<void> => {
      const inputResponses = { [key]: YES };
      for (const taskId of taskIds) {
        await eventually(async () => {
          expect(
            Object.keys((await ask(url, 'tasks/get', { taskId })).inputRequests ?? {}),
          ).toEqual([key]);
        });
        await ask(url, 'tasks/update', { taskId, inputResponses });
      }
    };

    // Each of them has its hands full, and as many tasks wait as neither has taken.
    await answer(killed.url, 'sure');
    await Promise.all([killed, left].map((instance) => instance.untilDone('write', CONCURRENCY)));
    await killed.kill();
    await proxy.cut();
    left.release();
    // What it has done it could not keep, and tries again.
    await left.untilLogged('Redis at 127.0.0.1', CONCURRENCY);
    await proxy.restore();
    await answer(left.url, 'letters');
    for (const taskId of taskIds) {
      await eventually(async () => {
        const task = await ask(left.url, 'tasks/get', { taskId });
        expect(task).toMatchObject({
          status: 'completed',
          result: { content: [{ text: 'true true' }] },
        });
      });
    }

    const books = connectRedis();
    const [written, tried, heard, repeated] = await Promise.all(
      ['written', 'tried', 'heard', 'repeated'].map((name) =>
        books.hgetall(`${prefix}:books:${name}`),
      ),
    );
    expect(repeated).toEqual({});
    expect(Object.keys(written ?? {})).toHaveLength(TASKS * STEPS.length);
    expect(Object.keys(heard ?? {})).toHaveLength(TASKS * STEPS.length);
    // Only what was under way was tried more than once.
    const again = Object.values(tried ?? {}).filter((times) => Number(times) > 1);
    expect(again.length).toBeGreaterThanOrEqual(CONCURRENCY);
    expect(again.length).toBeLessThanOrEqual(2 * CONCURRENCY);
  });
});
