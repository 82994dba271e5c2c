import { Logger } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import type { McpChange } from '@dacapo/mcp';
import { eventually, PlayedTickets, sampleRecord } from '@dacapo/testing/tasks';
import {
  BullTaskRunner,
  McpRedisModule,
  type McpRedisModuleOptions,
  RedisChangeBus,
  RedisConversationGuard,
  RedisTaskStore,
  RedisUnavailableException,
} from '@dacapo/redis';
import type { TaskTicket } from '@dacapo/tasks';
import { Heard } from '../support/heard.js';
import { connectRedis, describeWithRedis, openProxy, somePrefix } from '../support/redis.js';
import type { TcpProxy } from '../support/tcp-proxy.js';
import { collect, type LogLine } from '../support/test-server.js';

const TIMEOUT_MS = 500;
const SERVER = 'bakery';
const change: McpChange = { type: 'tools', server: SERVER };
const ticketOf = (wake: number): TaskTicket => ({ taskId: 'cake', server: SERVER, wake });

const connections: [string, (url: string) => McpRedisModuleOptions][] = [
  ['a connection of its own', (url) => ({ url })],
  ['a connection that it was given', (url) => ({ connection: connectRedis({}, url) })],
];

describeWithRedis.each(connections)('While Redis is away, with %s', (_name, connectionOf) => {
  let proxy: TcpProxy;
  let app: TestingModule;
  let prefix: string;
  let heard: Heard<McpChange>;
  let played: PlayedTickets;
  const logs: LogLine[] = [];

  beforeEach(async () => {
    logs.length = 0;
    prefix = somePrefix();
    const way = await openProxy();
    proxy = way.proxy;
    app = await Test.createTestingModule({
      imports: [
        McpRedisModule.forRoot({
          ...connectionOf(way.url),
          prefix,
          timeoutMs: TIMEOUT_MS,
          runner: { lockMs: 500, retryMs: 10 },
        }),
      ],
    })
      .setLogger(collect(logs))
      .compile();
    await app.init();
    heard = new Heard();
    await app.get(RedisChangeBus).subscribe(heard.listen);
    played = new PlayedTickets();
    await app.get(BullTaskRunner).start(SERVER, played.play);
  });
  afterEach(async () => {
    await app.close();
    Logger.overrideLogger(['error', 'warn']);
  });

  /** Everything that can be asked of Redis. */
  function calls(): Promise<unknown>[] {
    const [store, guard] = [app.get(RedisTaskStore), app.get(RedisConversationGuard)];
    const [bus, runner] = [app.get(RedisChangeBus), app.get(BullTaskRunner)];
    const record = sampleRecord(Date.now());
    return [
      store.create(record),
      store.get(record.taskId),
      store.update(record.taskId, (same) => same),
      store.delete(record.taskId),
      guard.claim('c/2', 'a', 1_000),
      guard.record('c/2', '{}', 1_000),
      bus.publish(change),
      runner.schedule(ticketOf(7), 3_600_000),
      runner.postpone(ticketOf(7), 3_600_000),
      runner.withdraw(ticketOf(7)),
    ];
  }

  async function refusals(): Promise<unknown[]> {
    const results = await Promise.allSettled(calls());
    return results.map((result): unknown =>
      result.status === 'rejected' ? result.reason : 'done',
    );
  }

  /** Asks until everything is answered, and everything that goes on by itself goes on. */
  async function everythingWorks(wake: number): Promise<void> {
    await eventually(async () => {
      await Promise.all(calls());
    });
    await app.get(BullTaskRunner).schedule(ticketOf(wake));
    await eventually(async () => expect(played.timesOf(ticketOf(wake))).toBe(1));
    const before = heard.all.length;
    await eventually(async () => {
      await app.get(RedisChangeBus).publish(change);
      expect(heard.all.length).toBeGreaterThan(before);
    });
  }

  it('every call is refused, and everything works when it is back', async () => {
    await everythingWorks(1);
    await proxy.cut();
    for (const refusal of await refusals()) {
      expect(refusal).toBeInstanceOf(RedisUnavailableException);
      expect((refusal as Error).message).toMatch(
        new RegExp(`^Redis at 127\\.0\\.0\\.1:${proxy.port} (cannot be reached|has not answered)`),
      );
    }
    await proxy.restore();
    await everythingWorks(2);
  });

  it('it is the same when it says nothing', async () => {
    proxy.mute();
    for (const refusal of await refusals()) {
      expect(refusal).toBeInstanceOf(RedisUnavailableException);
    }
    await proxy.restore();
    // A connection that the application made finds out in its own time that the other side is dead.
    if (connectionOf('').connection !== undefined) proxy.drop();
    await everythingWorks(2);
  });

  it('nothing begins to listen or to play', async () => {
    await proxy.cut();
    const { port } = proxy;
    const message = new RegExp(`^Redis at 127\\.0\\.0\\.1:${port} (cannot be|has not)`);
    await expect(app.get(BullTaskRunner).start('another', played.play)).rejects.toThrow(message);
    const bus = new RedisChangeBus(connectRedis({}, `redis://127.0.0.1:${port}`), {
      timeoutMs: TIMEOUT_MS,
    });
    await expect(bus.subscribe(heard.listen)).rejects.toThrow(message);
    await proxy.restore();
    await eventually(async () => {
      await app.get(BullTaskRunner).start('another', played.play);
    });
    (await bus.subscribe(heard.listen))();
  });

  it('a round that ends meanwhile has been played', async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const runner = app.get(BullTaskRunner);
    await runner.stop(SERVER, 0);
    const slow = new PlayedTickets(() => gate);
    await runner.start(SERVER, slow.play);
    await runner.schedule(ticketOf(1));
    await slow.untilBegun(ticketOf(1));
    await proxy.cut();
    open();
    await slow.untilEnded(1);
    await proxy.restore();
    const redis = connectRedis();
    await eventually(async () => {
      expect(await redis.exists(`${prefix}:queue:${SERVER}:cake.1`)).toBe(0);
    });
  });

  it('the application can be closed', async () => {
    await proxy.cut();
    await app.close();
  });

  it('the log says so, once each time, and that it is back', async () => {
    await proxy.cut();
    await refusals();
    await refusals();
    await proxy.restore();
    await everythingWorks(1);
    // Connections of an application that has ended may have something to say yet, of another address.
    const said = (level: string): LogLine[] =>
      logs.filter(
        (line) => line.level === level && line.text.startsWith(`Redis at 127.0.0.1:${proxy.port} `),
      );
    // The one that was given is the application's to watch; two more are opened, to listen and to play.
    const most = connectionOf('').connection === undefined ? 3 : 2;
    expect(said('error').length).toBeLessThanOrEqual(most);
    expect(said('error').length).toBeGreaterThan(0);
    await eventually(async () => {
      expect(said('log')).toHaveLength(said('error').length);
    });
  });
});
