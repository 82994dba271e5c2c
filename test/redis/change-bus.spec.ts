import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { McpChange } from '@dacapo/mcp';
import { RedisChangeBus } from '@dacapo/redis';
import { eventually } from '@dacapo/testing/tasks';
import { connectRedis, describeWithRedis, openProxy, somePrefix } from '../support/redis.js';
import { Heard } from '../support/heard.js';

const change: McpChange = { type: 'resource', uri: 'books://1?ü', server: 'library' };
const another: McpChange = { type: 'tools', server: 'library' };

describeWithRedis('RedisChangeBus', () => {
  const buses: RedisChangeBus[] = [];
  let prefix: string;

  beforeEach(() => (prefix = somePrefix()));
  afterEach(() => {
    for (const bus of buses.splice(0)) bus.close();
  });

  const make = (redis = connectRedis()): RedisChangeBus => {
    const bus = new RedisChangeBus(redis, { prefix });
    buses.push(bus);
    return bus;
  };

  it('delivers to every listener of every instance, the own ones too', async () => {
    const [here, there] = [make(), make()];
    const heard: Heard<McpChange>[] = [];
    for (const bus of [here, here, there]) {
      const listener = new Heard<McpChange>();
      heard.push(listener);
      await bus.subscribe(listener.listen);
    }
    await here.publish(change);
    await there.publish(another);
    for (const each of heard) expect(await each.next(2)).toEqual([change, another]);
  });

  it('delivers nothing to those who have left, and goes on for the others', async () => {
    const bus = make();
    const [leaving, staying] = [new Heard<McpChange>(), new Heard<McpChange>()];
    const leave = await bus.subscribe(leaving.listen);
    await bus.subscribe(staying.listen);
    leave();
    leave();
    await bus.publish(change);
    expect(await staying.next(1)).toEqual([change]);
    expect(leaving.all).toEqual([]);
  });

  it('takes one function that listens twice for two', async () => {
    const bus = make();
    const heard = new Heard<McpChange>();
    const leave = await bus.subscribe(heard.listen);
    await bus.subscribe(heard.listen);
    await bus.publish(change);
    await heard.next(2);
    leave();
    await bus.publish(another);
    expect(await heard.next(3)).toEqual([change, change, another]);
  });

  it('can be listened to again after everybody has left', async () => {
    const bus = make();
    const heard = new Heard<McpChange>();
    const leave = await bus.subscribe(heard.listen);
    leave();
    await bus.subscribe(heard.listen);
    await bus.publish(change);
    expect(await heard.next(1)).toEqual([change]);
  });

  it('closes its connection after the last listener', async () => {
    const redis = connectRedis();
    const channel = `${prefix}:changes`;
    const leave = await make().subscribe(() => undefined);
    expect(await redis.pubsub('NUMSUB', channel)).toEqual([channel, 1]);
    leave();
    await eventually(async () => {
      expect(await redis.pubsub('NUMSUB', channel)).toEqual([channel, 0]);
    });
  });

  it('keeps to its prefix', async () => {
    const bus = make();
    const heard = new Heard<McpChange>();
    await bus.subscribe(heard.listen);
    prefix = somePrefix();
    await make().publish(another);
    await bus.publish(change);
    expect(await heard.next(1)).toEqual([change]);
  });

  it('logs what is no JSON, and passes on what is', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const bus = make();
    const heard = new Heard<unknown>();
    await bus.subscribe(heard.listen);
    const redis = connectRedis();
    await redis.publish(`${prefix}:changes`, '<xml/>');
    await redis.publish(`${prefix}:changes`, '[1]');
    expect(await heard.next(1)).toEqual([[1]]);
    expect(warn.mock.calls).toEqual([
      [`A message of 6 characters on ${prefix}:changes is no JSON.`],
    ]);
    warn.mockRestore();
  });

  it('listens again when its connection was lost', async () => {
    Logger.overrideLogger(false);
    const { proxy, url } = await openProxy();
    const bus = make(connectRedis({}, url));
    const heard = new Heard<McpChange>();
    await bus.subscribe(heard.listen);
    const direct = make();
    proxy.drop();
    await eventually(async () => {
      await direct.publish(change);
      expect(heard.all).toContainEqual(change);
    });
    Logger.overrideLogger(['error', 'warn']);
  });
});
