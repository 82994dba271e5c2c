import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { McpClient, McpExchange } from '../exchange/index.js';
import { type JsonRpcNotification, LOG_LEVELS } from '../protocol/index.js';
import type { ReplayExecution } from '../replay/index.js';
import { ExchangeClientLog } from './exchange-client-log.js';
import { UNLOGGABLE } from './log-data.js';

interface Stage {
  readonly log: ExchangeClientLog;
  readonly sent: JsonRpcNotification[];
  readonly execution: { muted: boolean };
  readonly exchange: McpExchange;
  /** What the transport makes of the next notifications. */
  takes: boolean;
}

function stage(logLevel: unknown): Stage {
  const sent: JsonRpcNotification[] = [];
  const exchange = new McpExchange(
    1,
    'tools/call',
    '2026-07-28',
    new McpClient(undefined, {}),
    { 'io.modelcontextprotocol/logLevel': logLevel } as never,
    {
      transport: 'http',
      headers: {},
      request: undefined,
      cancelled: false,
      onCancel: () => undefined,
      notify: (notification) => {
        if (at.takes) sent.push(notification);
        return at.takes;
      },
      drop: () => undefined,
    },
  );
  const execution = { muted: false };
  const log = new ExchangeClientLog(exchange, execution as unknown as ReplayExecution);
  const at: Stage = { log, sent, execution, exchange, takes: true };
  return at;
}

/** Data that shows whether anybody has looked at it. */
function watched(): { looked: boolean; toJSON(): string } {
  return {
    looked: false,
    toJSON() {
      this.looked = true;
      return 'x';
    },
  };
}

describe('ExchangeClientLog', () => {
  it('sends level, logger and data', () => {
    const { log, sent } = stage('debug');
    expect(log.error({ error: 'lost', port: 5432 }, 'database')).toBe(true);
    expect(log.info(null)).toBe(true);
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', logger: 'database', data: { error: 'lost', port: 5432 } },
      },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: null } },
    ]);
    expect(Object.keys(sent[1]?.params ?? {})).toEqual(['level', 'data']);
  });

  it.each(LOG_LEVELS)('sends what is at %s or above, by the method of its name', (wanted) => {
    const { log, sent } = stage(wanted);
    const expected = LOG_LEVELS.slice(LOG_LEVELS.indexOf(wanted));
    expect(LOG_LEVELS.filter((level) => log.isEnabled(level))).toEqual(expected);
    expect(LOG_LEVELS.filter((level) => log[level](level))).toEqual(expected);
    expect(sent.map(({ params }) => [params?.['level'], params?.['data']])).toEqual(
      expected.map((level) => [level, level]),
    );
  });

  it.each([undefined, null, 'loud', 3])('sends nothing when the level is %p', (level) => {
    const { log, sent } = stage(level);
    const data = watched();
    expect(log.emergency(data)).toBe(false);
    expect(log.isEnabled('emergency')).toBe(false);
    expect(data.looked).toBe(false);
    expect(sent).toEqual([]);
  });

  it('sends nothing under a level that does not exist', () => {
    const { log, sent } = stage('debug');
    expect(log.log('fatal' as never, 'x')).toBe(false);
    expect(sent).toEqual([]);
  });

  it('sends nothing while it is muted', () => {
    const { log, sent, execution } = stage('debug');
    execution.muted = true;
    expect(log.error('replayed')).toBe(false);
    execution.muted = false;
    expect(log.error('new')).toBe(true);
    expect(sent.map(({ params }) => params?.['data'])).toEqual(['new']);
  });

  it('sends nothing once the exchange has been aborted', () => {
    const { log, sent, exchange } = stage('debug');
    exchange.abort(new Error('time is up'));
    expect(log.error('late')).toBe(false);
    expect(sent).toEqual([]);
  });

  it('tells when the client reads too slowly', () => {
    const at = stage('debug');
    at.takes = false;
    expect(at.log.info('left out')).toBe(false);
    at.takes = true;
    expect(at.log.info('sent')).toBe(true);
  });
});

describe('The data of a log message', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  });
  afterEach(() => warn.mockRestore());

  function sentFor(data: unknown): unknown {
    const { log, sent } = stage('debug');
    expect(log.info(data)).toBe(true);
    return sent[0]?.params?.['data'];
  }

  it.each<[unknown, unknown]>([
    ['text', 'text'],
    ['', ''],
    [0, 0],
    [false, false],
    [null, null],
    [
      [1, 'a', null],
      [1, 'a', null],
    ],
    [{ a: { b: [1] } }, { a: { b: [1] } }],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [Number.NaN, null],
    [{ a: undefined, b: 1 }, { b: 1 }],
  ])('is JSON: %p', (data, expected) => {
    expect(sentFor(data)).toEqual(expected);
    expect(warn).not.toHaveBeenCalled();
  });

  it('of an error is its name and message, without stack, cause or other members', () => {
    const error = Object.assign(new TypeError('No such table', { cause: new Error('secret') }), {
      query: 'select',
    });
    expect(sentFor(error)).toEqual({ name: 'TypeError', message: 'No such table' });
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const thrower = (thrown: unknown): object => ({
    toJSON: () => {
      throw thrown;
    },
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'it is undefined'],
    ['a function', () => undefined, 'it is a function'],
    ['a symbol', Symbol('x'), 'it is a symbol'],
    ['a bigint', 1n, 'BigInt'],
    ['a circle', circle, 'circular'],
    ['what throws', thrower(new Error('not now')), 'not now'],
    ['what throws anything', thrower(Object.create(null)), 'its toJSON() throws'],
  ])('that JSON cannot carry is replaced, and the server told: %s', (_, data, reason) => {
    expect(sentFor(data)).toBe(UNLOGGABLE);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(reason));
  });

  it('is what it was when it was logged', () => {
    const { log, sent } = stage('debug');
    const data = { count: 1 };
    log.info(data);
    data.count = 2;
    expect(sent[0]?.params?.['data']).toEqual({ count: 1 });
  });
});
