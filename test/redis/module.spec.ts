import { Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Cluster, Redis } from 'ioredis';
import {
  BullTaskRunner,
  InvalidRedisOptionsException,
  McpRedisModule,
  type McpRedisModuleOptions,
  RedisChangeBus,
  RedisConversationGuard,
  RedisTaskStore,
  RedisUnavailableException,
} from '@dacapo/redis';
import { eventually } from '@dacapo/testing/tasks';
import {
  connectRedis,
  describeWithRedis,
  openProxy,
  redisUrl,
  somePrefix,
} from '../support/redis.js';
import { collect, type LogLine } from '../support/test-server.js';

const lazy = (options: object = {}): Redis => new Redis({ lazyConnect: true, ...options });

async function boot(options: McpRedisModuleOptions, logs: LogLine[] = []): Promise<TestingModule> {
  const app = await Test.createTestingModule({ imports: [McpRedisModule.forRoot(options)] })
    .setLogger(collect(logs))
    .compile();
  return app.init();
}

const refusalOf = (options: McpRedisModuleOptions): Promise<Error> =>
  boot(options).then(
    () => Promise.reject(new Error('it has booted')),
    (error: unknown) => error as Error,
  );

describe('McpRedisModule refuses to boot', () => {
  it.each<[string, () => McpRedisModuleOptions, RegExp]>([
    ['without an address', () => ({}), /option url is missing, and so is connection\. Give one/],
    [
      'with two',
      () => ({ url: 'redis://x', connection: lazy() }),
      /url is there beside connection/,
    ],
    ['with no url', () => ({ url: 'localhost:6379' }), /option url is no address of Redis\. Give/],
    ['with half a url', () => ({ url: 'redis://' }), /option url is no address of Redis/],
    ['with a cluster', () => ({ connection: cluster() }), /no connection of ioredis.+Cluster/],
    [
      'with a string',
      () => ({ connection: 'x' as never }),
      /connection is no connection of ioredis/,
    ],
    [
      'with a keyPrefix',
      () => ({ connection: lazy({ keyPrefix: 'x' }) }),
      /has a keyPrefix\. Leave/,
    ],
    [
      'without patience',
      () => ({ connection: lazy(), timeoutMs: 0 }),
      /option timeoutMs is 0\. Give/,
    ],
  ])('%s', async (_name, options, message) => {
    const refusal = await refusalOf(options());
    expect(refusal).toBeInstanceOf(InvalidRedisOptionsException);
    expect(refusal.message).toMatch(message);
  });

  it('where nobody listens, and tells no password', async () => {
    const refusal = await refusalOf({ url: 'redis://ada:s3cret@127.0.0.1:1/0', timeoutMs: 2_000 });
    expect(refusal).toBeInstanceOf(RedisUnavailableException);
    expect(refusal.message).toMatch(
      /^Redis at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\. Start it, or mend the address/,
    );
    expect(refusal.stack).not.toMatch(/ada|s3cret/);
  });

  it('with a url that cannot be read, and tells nothing of it', async () => {
    const refusal = await refusalOf({ url: 'redis://ada:s3cret@[' });
    expect(refusal.message).not.toMatch(/ada|s3cret/);
  });

  function cluster(): never {
    return new Cluster([], { lazyConnect: true }) as never;
  }
});

describeWithRedis('McpRedisModule', () => {
  it('refuses to boot with a password that is wrong, and logs it nowhere', async () => {
    const url = new URL(redisUrl as string);
    url.username = 'nobody-of-this-name';
    url.password = 's3cret';
    const logs: LogLine[] = [];
    const refusal = await boot({ url: url.href }, logs).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    expect(refusal?.message).toMatch(
      /has refused: WRONGPASS .+\. Give the connection a user and a/,
    );
    expect(JSON.stringify([refusal, refusal?.stack, logs])).not.toContain('s3cret');
    expect(logs.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it.each([{ prefix: '' }, { prefix: 7 as never }, { runner: { concurrency: 0 } }])(
    'refuses to boot with %j',
    async (options) => {
      expect(await refusalOf({ url: redisUrl, ...options })).toBeInstanceOf(
        InvalidRedisOptionsException,
      );
    },
  );

  it('gives every module its parts, with options from anywhere', async () => {
    @Module({})
    class Elsewhere {
      constructor(
        readonly store: RedisTaskStore,
        readonly runner: BullTaskRunner,
        readonly bus: RedisChangeBus,
        readonly guard: RedisConversationGuard,
      ) {}
    }
    const prefix = somePrefix();
    const app = await Test.createTestingModule({
      imports: [
        McpRedisModule.forRootAsync({ useFactory: () => ({ url: redisUrl, prefix }) }),
        Elsewhere,
      ],
    }).compile();
    const { store, runner, bus, guard } = app.get(Elsewhere);
    expect(store).toBeInstanceOf(RedisTaskStore);
    expect(runner).toBeInstanceOf(BullTaskRunner);
    expect(bus).toBeInstanceOf(RedisChangeBus);
    await guard.claim('c/2', 'a', 60_000);
    expect(await connectRedis().exists(`${prefix}:round:c/2`)).toBe(1);
    await app.close();
  });

  it('closes all that it has opened when the application ends', async () => {
    const { proxy, url } = await openProxy();
    const app = await boot({ url, prefix: somePrefix() });
    await useEverything(app);
    expect(proxy.open).toBeGreaterThan(3);
    await app.close();
    await eventually(async () => expect(proxy.open).toBe(0));
  });

  it('leaves a connection open that it was given, as it was', async () => {
    const { proxy, url } = await openProxy();
    const connection = connectRedis({}, url);
    const app = await boot({ connection, prefix: somePrefix() });
    await useEverything(app);
    await app.close();
    await eventually(async () => expect(proxy.open).toBe(1));
    expect(await connection.ping()).toBe('PONG');
    expect(connection.options.maxRetriesPerRequest).toBe(20);
  });

  async function useEverything(app: TestingModule): Promise<void> {
    await app.get(RedisChangeBus).subscribe(() => undefined);
    await app.get(BullTaskRunner).start('bakery', () => Promise.resolve());
    await app.get(BullTaskRunner).schedule({ taskId: 'cake', server: 'bakery', wake: 1 });
  }
});
