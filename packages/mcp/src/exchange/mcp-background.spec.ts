import { jest } from '@jest/globals';
import { type JsonRpcNotification, McpNotificationMethod } from '../protocol/index.js';
import { backgroundOrigin, type McpBackground } from './mcp-background.js';
import { McpClient } from './mcp-client.js';
import { McpExchange } from './mcp-exchange.js';
import type { McpOrigin } from './mcp-origin.js';

const facts = { transport: 'task', headers: { host: 'a' }, request: { user: 'ada' } } as const;

const notification = (
  method: string,
  params: Record<string, unknown> = {},
): JsonRpcNotification => ({ jsonrpc: '2.0', method, params });
const progressed = notification(McpNotificationMethod.Progress, {
  progressToken: 'p',
  progress: 1,
  message: 'half',
});
const said = notification(McpNotificationMethod.Message, { level: 'info', data: 'hello' });

class Background implements McpBackground {
  readonly told: unknown[] = [];
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  progress(progress: Parameters<McpBackground['progress']>[0]): void {
    this.told.push(progress);
  }

  end(reason: unknown): void {
    this.controller.abort(reason);
  }
}

/** A client, as a transport knows it, that may go away. */
class Connection implements McpOrigin {
  readonly transport = 'http';
  readonly headers = { host: 'localhost' };
  readonly request = { user: 'ada' };
  readonly sent: JsonRpcNotification[] = [];
  readonly drop = jest.fn();
  cancelled = false;
  private readonly listeners: ((reason: unknown) => void)[] = [];

  constructor(readonly rehearsed?: true) {}

  onCancel(listener: (reason: unknown) => void): void {
    if (this.cancelled) listener('gone');
    else this.listeners.push(listener);
  }

  notify(sent: JsonRpcNotification): boolean {
    return this.sent.push(sent) > 0;
  }

  goAway(): void {
    this.cancelled = true;
    for (const listener of this.listeners) listener('gone');
  }
}

const exchangeFrom = (origin: McpOrigin, meta: object = {}): McpExchange =>
  new McpExchange(
    1,
    'tools/call',
    '2026-07-28',
    new McpClient(undefined, {}),
    meta as never,
    origin,
  );

describe('What goes on without a request', () => {
  it('keeps what is known of the request that it had', () => {
    expect(backgroundOrigin(new Background(), { ...facts, rehearsed: true })).toMatchObject({
      ...facts,
      rehearsed: true,
    });
  });

  it('tells the background of progress, without a token', () => {
    const background = new Background();
    expect(backgroundOrigin(background, facts).notify(progressed)).toBe(true);
    expect(background.told).toEqual([{ progress: 1, message: 'half' }]);
  });

  it('leaves out everything else', () => {
    const background = new Background();
    expect(backgroundOrigin(background, facts).notify(said)).toBe(false);
    expect(background.told).toEqual([]);
  });

  it('is ended by the background, with its reason, once', () => {
    const background = new Background();
    const origin = backgroundOrigin(background, facts);
    const early = jest.fn();
    const late = jest.fn();
    origin.onCancel(early);
    expect(origin.cancelled).toBe(false);
    background.end('too old');
    origin.onCancel(late);
    expect(origin.cancelled).toBe(true);
    expect(early.mock.calls).toEqual([['too old']]);
    expect(late.mock.calls).toEqual([['too old']]);
  });

  it('has no connection to lose', () => {
    const background = new Background();
    const origin = backgroundOrigin(background, facts);
    origin.drop();
    expect(origin.cancelled).toBe(false);
  });
});

describe('An exchange that goes on without its client', () => {
  it.each([
    ['had been looked at', true],
    ['had not been looked at', false],
  ])('is not ended by the client any more, where its signal %s', (_, looks) => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    if (looks) expect(exchange.signal.aborted).toBe(false);
    exchange.carryOn(new Background());
    connection.goAway();
    expect(exchange.aborted).toBe(false);
    expect(exchange.signal.aborted).toBe(false);
  });

  it.each([
    ['had been looked at', true],
    ['had not been looked at', false],
  ])('is ended by the background, where its signal %s', (_, looks) => {
    const exchange = exchangeFrom(new Connection());
    const background = new Background();
    if (looks) expect(exchange.signal.aborted).toBe(false);
    exchange.carryOn(background);
    background.end('too old');
    expect(exchange.aborted).toBe(true);
    expect(exchange.signal.reason).toBe('too old');
  });

  it('is ended at once by a background that has ended', () => {
    const exchange = exchangeFrom(new Connection());
    const { signal } = exchange;
    const background = new Background();
    background.end('too old');
    exchange.carryOn(background);
    expect(signal.reason).toBe('too old');
  });

  it('stays ended when its client had gone before', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    const { signal } = exchange;
    connection.goAway();
    exchange.carryOn(new Background());
    expect(signal.reason).toBe('gone');
    expect(exchange.aborted).toBe(true);
  });

  it('calls back those who have heard nothing yet', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    const background = new Background();
    const told = jest.fn();
    exchange.onAbort(told);
    exchange.carryOn(background);
    connection.goAway();
    expect(told).not.toHaveBeenCalled();
    background.end('too old');
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('tells the background of progress, and nobody of what it logs', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    const background = new Background();
    expect(exchange.notify(progressed)).toBe(true);
    exchange.carryOn(background);
    expect(exchange.notify(progressed)).toBe(true);
    expect(exchange.notify(said)).toBe(false);
    expect(connection.sent).toEqual([progressed]);
    expect(background.told).toEqual([{ progress: 1, message: 'half' }]);
  });

  it('drops no connection, for it has none', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    exchange.carryOn(new Background());
    exchange.drop();
    expect(connection.drop).not.toHaveBeenCalled();
  });

  it('still knows its request', () => {
    const { transport, headers, request } = new Connection();
    const exchange = exchangeFrom(new Connection(true));
    exchange.carryOn(new Background());
    expect(exchange).toMatchObject({ transport, headers, request, rehearsed: true });
    exchange.carryOn(new Background());
    expect(exchange).toMatchObject({ transport, headers, request, rehearsed: true });
  });

  it('is given back to its client, who may end it again', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    const { signal } = exchange;
    const background = new Background();
    const giveBack = exchange.carryOn(background);
    giveBack();
    background.end('too old');
    expect(signal.aborted).toBe(false);
    exchange.notify(said);
    expect(connection.sent).toEqual([said]);
    connection.goAway();
    expect(signal.reason).toBe('gone');
  });

  it('ends when it is given back to a client who has gone', () => {
    const connection = new Connection();
    const exchange = exchangeFrom(connection);
    const { signal } = exchange;
    const giveBack = exchange.carryOn(new Background());
    connection.goAway();
    expect(signal.aborted).toBe(false);
    giveBack();
    expect(signal.reason).toBe('gone');
  });

  it('obeys the last who has taken it on', () => {
    const exchange = exchangeFrom(new Connection());
    const { signal } = exchange;
    const first = new Background();
    const second = new Background();
    exchange.carryOn(first);
    exchange.carryOn(second);
    first.end('no more');
    expect(signal.aborted).toBe(false);
    second.end('too old');
    expect(signal.reason).toBe('too old');
  });
});

describe('Who hears of progress', () => {
  it.each<[string, object, unknown]>([
    ['whom the request names', { progressToken: 'p' }, 'p'],
    ['whom the request names by a number', { progressToken: 0 }, 0],
    ['nobody, where it names no one', {}, undefined],
    ['nobody, where it names something else', { progressToken: { a: 1 } }, undefined],
  ])('is %s', (_, meta, token) => {
    expect(exchangeFrom(new Connection(), meta).progressToken).toBe(token);
  });

  it.each([
    ['named somebody', { progressToken: 'p' }],
    ['named nobody', {}],
  ])('is the background, where the request %s', (_, meta) => {
    const exchange = exchangeFrom(new Connection(), meta);
    exchange.carryOn(new Background());
    expect(exchange.progressToken).toBe('background');
  });
});
