import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  InvalidParamsException,
  MissingRequiredClientCapabilityException,
} from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { someExchange } from '../../exchange/exchange.fixture.js';
import type { ExtensionTopic, McpExtensionTopic } from '../extensions/index.js';
import { openFeeds, TopicFeed } from './topic.feed.js';

const EXTENSION = 'com.example/jobs';
const MAX_KEYS = 3;

const exchangeOf = (extensions: Record<string, object> = { [EXTENSION]: {} }): McpExchange =>
  someExchange('subscriptions/listen', { extensions } as never);

type Notification = McpExtensionTopic['notification'];

function topicOf(rest: Partial<McpExtensionTopic> = {}): ExtensionTopic {
  return {
    extension: EXTENSION,
    topic: {
      member: 'jobIds',
      honour: (keys) => keys,
      notification: (key) => ({ method: 'notifications/jobs', params: { key } }),
      ...rest,
    },
  };
}

describe('A feed', () => {
  let told: string[];
  let logged: jest.SpiedFunction<Logger['error']>;
  const exchange = exchangeOf();

  const tell = (method: string, params: Record<string, unknown>): void => {
    told.push(`${method} ${JSON.stringify(params)}`);
  };
  const feedOf = (notification: Notification, ...keys: string[]): TopicFeed =>
    new TopicFeed(topicOf({ notification }), new Set(keys), exchange);

  beforeEach(() => {
    told = [];
    logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  });

  afterEach(() => {
    logged.mockRestore();
  });

  it('says whose it is, and what of the filter it honours', () => {
    const feed = feedOf(() => undefined, 'a', 'b');
    expect(feed.extension).toBe(EXTENSION);
    expect(feed.honoured).toEqual({ jobIds: ['a', 'b'] });
    expect(feed.has('a')).toBe(true);
    expect(feed.has('c')).toBe(false);
  });

  it('begins with how everything stands', async () => {
    const read = jest.fn<Notification>((key) => ({ method: 'm', params: { key } }));
    feedOf(read, 'a', 'b').begin(tell);
    await turn();
    expect(told).toEqual(['m {"key":"a"}', 'm {"key":"b"}']);
    expect(read.mock.calls).toEqual([
      ['a', exchange],
      ['b', exchange],
    ]);
  });

  it('tells nothing where there is nothing to tell', async () => {
    feedOf(() => undefined, 'a').begin(tell);
    await turn();
    expect(told).toEqual([]);
    expect(logged).not.toHaveBeenCalled();
  });

  it('reads again what changes while it is read, once, and tells the latest last', async () => {
    const reads: ((state: string) => void)[] = [];
    const feed = feedOf(
      () =>
        new Promise((resolve) => {
          reads.push((state) => resolve({ method: 'm', params: { state } }));
        }),
      'a',
    );
    feed.changed('a', tell);
    feed.changed('a', tell);
    feed.changed('a', tell);
    expect(reads).toHaveLength(1);
    reads[0]?.('working');
    await turn();
    expect(reads).toHaveLength(2);
    reads[1]?.('done');
    await turn();
    expect(reads).toHaveLength(2);
    expect(told).toEqual(['m {"state":"working"}', 'm {"state":"done"}']);
    feed.changed('a', tell);
    expect(reads).toHaveLength(3);
  });

  it('reads different things side by side', () => {
    const read = jest.fn<Notification>(() => new Promise(() => undefined));
    const feed = feedOf(read, 'a', 'b');
    feed.changed('a', tell);
    feed.changed('b', tell);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('logs what fails, and goes on with the next change', async () => {
    const read = jest
      .fn<Notification>()
      .mockImplementationOnce(() => {
        throw new Error('no store');
      })
      .mockRejectedValueOnce(new Error('still no store'))
      .mockReturnValueOnce({ method: 'm', params: {} });
    const feed = feedOf(read, 'a');
    for (let change = 0; change < 3; change++) {
      feed.changed('a', tell);
      await turn();
    }
    expect(logged.mock.calls).toEqual([[new Error('no store')], [new Error('still no store')]]);
    expect(told).toEqual(['m {}']);
  });

  it('reads again after it has failed, where something changed meanwhile', async () => {
    const read = jest
      .fn<Notification>()
      .mockRejectedValueOnce(new Error('no store'))
      .mockReturnValueOnce({ method: 'm', params: {} });
    const feed = feedOf(read, 'a');
    feed.changed('a', tell);
    feed.changed('a', tell);
    await turn();
    expect(told).toEqual(['m {}']);
  });

  it('takes an error of the protocol as nothing to tell', async () => {
    feedOf(() => Promise.reject(new InvalidParamsException('gone')), 'a').begin(tell);
    await turn();
    expect(told).toEqual([]);
    expect(logged).not.toHaveBeenCalled();
  });
});

describe('The feeds of a subscription', () => {
  const open = (
    topics: readonly ExtensionTopic[],
    filter: unknown,
    exchange = exchangeOf(),
  ): Promise<readonly TopicFeed[]> => openFeeds(topics, filter, exchange, MAX_KEYS);

  it('are those that its client has asked for, with the keys that are honoured', async () => {
    const honour = jest.fn<McpExtensionTopic['honour']>(async (keys) => keys.slice(0, 1));
    const exchange = exchangeOf();
    const others = topicOf({ member: 'otherIds' });
    const feeds = await open(
      [others, topicOf({ honour })],
      { jobIds: ['a', 'b', 'a'], toolsListChanged: true },
      exchange,
    );
    expect(feeds.map(({ honoured }) => honoured)).toEqual([{ jobIds: ['a'] }]);
    expect(honour.mock.calls).toEqual([[['a', 'b'], exchange]]);
  });

  it('stay open where no key is honoured, to say so', async () => {
    const feeds = await open([topicOf({ honour: () => [] })], { jobIds: ['a'] });
    expect(feeds.map(({ honoured }) => honoured)).toEqual([{ jobIds: [] }]);
  });

  it.each<[string, unknown]>([
    ['names none', {}],
    ['lists nothing', { jobIds: [] }],
    ['is no object', 'all'],
  ])('are none where the filter %s, whatever the client has declared', async (_, filter) => {
    expect(await open([topicOf()], filter, exchangeOf({}))).toEqual([]);
  });

  it('are refused to a client without the extension, before anything is looked up', async () => {
    const honour = jest.fn<McpExtensionTopic['honour']>();
    const refused = open([topicOf({ honour })], { jobIds: ['a'] }, exchangeOf({}));
    await expect(refused).rejects.toBeInstanceOf(MissingRequiredClientCapabilityException);
    await expect(refused).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
    });
    expect(honour).not.toHaveBeenCalled();
  });

  it.each<[string, unknown]>([
    ['is no list', 'a'],
    ['lists what is no text', [1]],
    ['lists too much', ['a', 'b', 'c', 'd']],
    ['lists what is too long to be a key', ['a'.repeat(2_049)]],
  ])('are refused where the member %s', async (_, jobIds) => {
    await expect(open([topicOf()], { jobIds })).rejects.toBeInstanceOf(InvalidParamsException);
  });
});
