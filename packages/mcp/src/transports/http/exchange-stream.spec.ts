import { jest } from '@jest/globals';
import type { JsonRpcNotification } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import { ExchangeStream } from './exchange-stream.js';
import type { HttpResponsePort } from './http-port.js';

/** Writes down what is done to it, and can be left by the client. */
class Port implements HttpResponsePort {
  readonly done: unknown[][] = [];
  leave: () => void = () => undefined;
  bufferedBytes = 0;

  json(...rest: unknown[]): void {
    this.done.push(['json', ...rest]);
  }

  empty(...rest: unknown[]): void {
    this.done.push(['empty', ...rest]);
  }

  openStream(): void {
    this.done.push(['openStream']);
  }

  write(chunk: string): void {
    this.done.push(['write', chunk]);
  }

  end(): void {
    this.done.push(['end']);
  }

  destroy(): void {
    this.done.push(['destroy']);
  }

  onAbort(listener: () => void): void {
    this.leave = listener;
  }
}

const REPLY: McpReply = { httpStatus: 200, httpHeaders: {}, body: '{"id":1}' };
const PROGRESS: JsonRpcNotification = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { message: 'line 1\nline 2' },
};
const EVENT =
  'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"message":"line 1\\nline 2"}}\n\n';

let port: Port;

function open(keepAliveMs = 0): ExchangeStream {
  return new ExchangeStream(port, keepAliveMs, 100);
}

beforeEach(() => {
  jest.useFakeTimers();
  port = new Port();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('an answer without notifications', () => {
  it('is plain JSON with its status and headers', () => {
    const headers = { 'WWW-Authenticate': 'Bearer' };
    open().finish({ httpStatus: 401, httpHeaders: headers, body: '{"error":1}' });
    expect(port.done).toEqual([['json', 401, '{"error":1}', headers]]);
  });

  it('is given once', () => {
    const stream = open();
    stream.finish(REPLY);
    stream.finish(REPLY);
    expect(port.done).toHaveLength(1);
  });

  it('is not kept alive', () => {
    open(10);
    jest.advanceTimersByTime(1_000);
    expect(port.done).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('an answer with notifications', () => {
  it('is a stream with one event each, and the answer last', () => {
    const stream = open();
    stream.notify(PROGRESS);
    stream.notify(PROGRESS);
    stream.finish({ httpStatus: 500, httpHeaders: {}, body: '{"error":1}' });
    expect(port.done).toEqual([
      ['openStream'],
      ['write', EVENT],
      ['write', EVENT],
      ['write', 'data: {"error":1}\n\n'],
      ['end'],
    ]);
  });

  it('says something every keepAliveMs until it ends', () => {
    const stream = open(10);
    stream.notify(PROGRESS);
    port.done.length = 0;
    jest.advanceTimersByTime(9);
    expect(port.done).toEqual([]);
    jest.advanceTimersByTime(11);
    expect(port.done).toEqual([
      ['write', ': keep-alive\n\n'],
      ['write', ': keep-alive\n\n'],
    ]);
    stream.finish(REPLY);
    port.done.length = 0;
    jest.advanceTimersByTime(1_000);
    expect(port.done).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is kept alive by one timer, however much is sent', () => {
    const stream = open(10);
    for (let count = 0; count < 5; count += 1) stream.notify(PROGRESS);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('is not kept alive when keepAliveMs is 0', () => {
    open(0).notify(PROGRESS);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes no notification after the answer', () => {
    const stream = open(10);
    stream.notify(PROGRESS);
    stream.finish(REPLY);
    port.done.length = 0;
    stream.notify(PROGRESS);
    expect(port.done).toEqual([]);
  });

  it('does not become one after a plain answer', () => {
    const stream = open(10);
    stream.finish(REPLY);
    stream.notify(PROGRESS);
    expect(port.done).toEqual([['json', 200, '{"id":1}', {}]]);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a client that leaves', () => {
  it('gets nothing more, before anything was sent', () => {
    const stream = open();
    port.leave();
    stream.notify(PROGRESS);
    stream.finish(REPLY);
    expect(port.done).toEqual([]);
  });

  it('gets nothing more in the middle of a stream, and no timer stays', () => {
    const stream = open(10);
    stream.notify(PROGRESS);
    port.done.length = 0;
    port.leave();
    stream.notify(PROGRESS);
    stream.finish(REPLY);
    jest.advanceTimersByTime(1_000);
    expect(port.done).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('tells those who wait, once', () => {
    const stream = open();
    const listener = jest.fn();
    stream.onCancel(listener);
    expect(stream.cancelled).toBe(false);
    port.leave();
    port.leave();
    expect(stream.cancelled).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('tells those who come later at once', () => {
    const stream = open();
    port.leave();
    const listener = jest.fn();
    stream.onCancel(listener);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('gives a reason that can be thrown and told from others', () => {
    const stream = open();
    const reasons: unknown[] = [];
    stream.onCancel((reason) => reasons.push(reason));
    port.leave();
    stream.onCancel((reason) => reasons.push(reason));
    expect(reasons[0]).toMatchObject({
      name: 'AbortError',
      message: 'The client closed the connection.',
    });
    expect(reasons[1]).toBe(reasons[0]);
  });

  it('cancels nothing when the answer was complete', () => {
    const stream = open();
    const listener = jest.fn();
    stream.onCancel(listener);
    stream.finish(REPLY);
    port.leave();
    expect(listener).not.toHaveBeenCalled();
    expect(stream.cancelled).toBe(false);
  });
});

describe('a client that reads slowly', () => {
  it('misses notifications, and gets the answer', () => {
    const stream = open(10);
    expect(stream.notify(PROGRESS)).toBe(true);
    port.bufferedBytes = 101;
    expect(stream.notify(PROGRESS)).toBe(false);
    jest.advanceTimersByTime(100);
    stream.finish(REPLY);
    expect(port.done).toEqual([
      ['openStream'],
      ['write', EVENT],
      ['write', 'data: {"id":1}\n\n'],
      ['end'],
    ]);
  });

  it('hears again once it has caught up', () => {
    const stream = open();
    port.bufferedBytes = 101;
    expect(stream.notify(PROGRESS)).toBe(false);
    port.bufferedBytes = 100;
    expect(stream.notify(PROGRESS)).toBe(true);
  });

  it('can be dropped, which cancels its request', () => {
    const stream = open();
    const listener = jest.fn();
    stream.onCancel(listener);
    stream.drop();
    stream.drop();
    expect(port.done).toEqual([['destroy']]);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(stream.notify(PROGRESS)).toBe(false);
    stream.finish(REPLY);
    expect(port.done).toEqual([['destroy']]);
  });
});
