import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { jest } from '@jest/globals';
import { Logger, StreamableFile } from '@nestjs/common';
import { EMPTY, Observable, of, Subject, throwError } from 'rxjs';
import { AbsoluteProgress, type McpProgressSource } from '../../context/index.js';
import {
  InvalidProgressException,
  InvalidResultException,
  ResultTooLargeException,
} from '../../exceptions/index.js';
import { McpClient, McpExchange } from '../../exchange/index.js';
import { collectValue, lastValue, McpFile, type McpProgress } from './index.js';

const BYTES = Buffer.from('größe');

/** An exchange that can be cancelled. */
function exchangeWith(): { exchange: McpExchange; cancel: () => unknown; watched: () => boolean } {
  const listeners: ((reason: unknown) => void)[] = [];
  const reason = new DOMException('The client has gone.', 'AbortError');
  const origin = {
    transport: 'http',
    headers: {},
    request: undefined,
    cancelled: false,
    onCancel: (listener: (reason: unknown) => void) => listeners.push(listener),
    notify: () => true,
    drop: () => undefined,
  } as const;
  const client = new McpClient(undefined, {});
  const exchange = new McpExchange(1, 'tools/call', '2026-07-28', client, {} as never, origin);
  return {
    exchange,
    cancel: () => {
      listeners.forEach((listener) => listener(reason));
      return reason;
    },
    watched: () => listeners.length > 0,
  };
}

function collect(
  value: unknown,
  {
    exchange = exchangeWith().exchange,
    maxBytes = 1_000,
    progress,
  }: Partial<{
    exchange: McpExchange;
    maxBytes: number;
    progress: McpProgressSource;
  }> = {},
): unknown {
  return collectValue(value, { handler: 'open', exchange, maxBytes, progress });
}

/** Keeps what is reported, as progress of one channel. */
function progressSource(): { source: McpProgressSource; sent: McpProgress[] } {
  const sent: McpProgress[] = [];
  const channel = {
    send: (progress: number, total?: number, message?: string) =>
      void sent.push({ progress, total, message }),
  };
  return {
    sent,
    source: {
      absoluteProgress: (total?: number) => new AbsoluteProgress(channel, total),
    } as McpProgressSource,
  };
}

/** A generator that tells whether its `finally` has run. */
function generator(...pieces: unknown[]): { source: AsyncGenerator; ended: () => boolean } {
  let ended = false;
  async function* generate(): AsyncGenerator {
    try {
      yield* pieces;
    } finally {
      ended = true;
    }
  }
  return { source: generate(), ended: () => ended };
}

async function* yielding(...pieces: unknown[]): AsyncGenerator {
  yield* pieces;
}

function* yieldingNow(...pieces: unknown[]): Generator {
  yield* pieces;
}

function* returningNow(value: unknown, ...pieces: unknown[]): Generator {
  yield* pieces;
  return value;
}

async function* returning(value: unknown, ...pieces: unknown[]): AsyncGenerator {
  yield* pieces;
  return value;
}

async function* failing(error: Error): AsyncGenerator {
  yield 'x';
  throw error;
}

const webStream = (...chunks: unknown[]): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** Without a listener to its errors, which `once()` would add. */
const closed = (stream: Readable): Promise<void> =>
  new Promise((resolve) => stream.on('close', resolve));

const BLOCK = { type: 'text', text: 'x' };

describe('lastValue', () => {
  it.each<[string, Observable<unknown>, unknown]>([
    ['the last one', of(1, 2, 3), 3],
    ['the only one', of('x'), 'x'],
    ['undefined when there is none', EMPTY, undefined],
    ['undefined when that is the last one', of(1, undefined), undefined],
  ])('is %s', async (_, source, value) => {
    expect(await lastValue(source, exchangeWith().exchange)).toBe(value);
  });

  it('fails as the source fails', async () => {
    const error = new Error('no');
    const source = throwError(() => error);
    await expect(lastValue(source, exchangeWith().exchange)).rejects.toBe(error);
  });

  it.each([
    ['that goes on', 1],
    ['that has not given anything yet', 0],
  ])('lets go of a source %s when the call is cancelled', async (_, values) => {
    const { exchange, cancel } = exchangeWith();
    const source = new Subject();
    const value = lastValue(source, exchange);
    for (let given = 0; given < values; given += 1) source.next(given);
    expect(source.observed).toBe(true);
    const reason = cancel();
    expect(source.observed).toBe(false);
    await expect(value).rejects.toBe(reason);
  });

  it('does not begin when the call has been cancelled before', async () => {
    const { exchange, cancel } = exchangeWith();
    expect(exchange.signal.aborted).toBe(false);
    const reason = cancel();
    let subscribed = false;
    const source = new Observable(() => {
      subscribed = true;
    });
    await expect(lastValue(source, exchange)).rejects.toBe(reason);
    expect(subscribed).toBe(false);
  });

  it('ends with the reason of the cancellation when the source cannot be let go of', async () => {
    const { exchange, cancel } = exchangeWith();
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const source = new Observable(() => () => {
      throw new Error('stuck');
    });
    const value = lastValue(source, exchange);
    const reason = cancel();
    await expect(value).rejects.toBe(reason);
    expect(logged.mock.calls).toEqual([[new Error('stuck')]]);
    logged.mockRestore();
  });

  it('wants no signal when there is one value only', async () => {
    const { exchange, watched } = exchangeWith();
    await lastValue(of(1), exchange);
    expect(watched()).toBe(false);
  });
});

describe('collectValue', () => {
  it.each([
    [undefined],
    [null],
    ['x'],
    [5],
    [1n],
    [{ a: 1 }],
    [['a', 1]],
    [new Date(0)],
    [new Map()],
  ])('leaves %p alone, at once', (value) => {
    expect(collect(value, { maxBytes: 1 })).toBe(value);
  });

  it.each<[string, () => unknown, unknown]>([
    [
      'a Node stream of bytes',
      () => Readable.from([BYTES, BYTES], { objectMode: false }),
      Buffer.concat([BYTES, BYTES]),
    ],
    ['a Node stream of text', () => new PassThrough({ encoding: 'utf8' }).end('größe'), 'größe'],
    ['a Node stream of text that is empty', () => new PassThrough({ encoding: 'utf8' }).end(), ''],
    ['a Node stream of objects', () => Readable.from([{ a: 1 }, { a: 2 }]), [{ a: 1 }, { a: 2 }]],
    ['a Node stream of no objects', () => Readable.from([]), undefined],
    ['an empty Node stream', () => new PassThrough().end(), Buffer.alloc(0)],
    [
      'a Web stream of bytes',
      () => webStream(new Uint8Array([1]), new Uint8Array([2])),
      Buffer.from([1, 2]),
    ],
    ['a Web stream of text', () => webStream('grö', 'ße'), 'größe'],
    ['a Web stream of bytes and text', () => webStream('ö', BYTES), Buffer.from('ögröße')],
    ['an empty Web stream', () => webStream(), Buffer.alloc(0)],
    ['a StreamableFile of bytes', () => new StreamableFile(BYTES), new McpFile(BYTES)],
    [
      'a StreamableFile of a stream',
      () =>
        new StreamableFile(Readable.from([BYTES]), {
          type: 'text/csv',
          disposition: 'attachment; filename="a.csv"',
          length: 7,
        }),
      new McpFile(BYTES, { mimeType: 'text/csv', name: 'a.csv' }),
    ],
    [
      'a Blob',
      () => new Blob([BYTES], { type: 'image/png' }),
      new McpFile(BYTES, { mimeType: 'image/png' }),
    ],
    ['a Blob of no type', () => new Blob([BYTES]), new McpFile(BYTES)],
    [
      'a File',
      () => new File([BYTES], 'a.txt', { type: 'text/plain' }),
      new McpFile(BYTES, { mimeType: 'text/plain', name: 'a.txt' }),
    ],
    ['a file', () => new McpFile('x'), new McpFile('x')],
    ['bytes', () => BYTES, BYTES],
    ['a list with a stream', () => ['x', Readable.from([BYTES])], ['x', BYTES]],
    ['a generator of text', () => yielding('grö', 'ße'), 'größe'],
    ['a generator of blocks', () => yielding(BLOCK, 'x'), [BLOCK, 'x']],
    ['a generator of one block', () => yielding(BLOCK), [BLOCK]],
    ['a generator of rows', () => yielding({ a: 1 }, [2], null), [{ a: 1 }, [2], null]],
    ['a generator of files', () => yielding(new StreamableFile(BYTES)), [new McpFile(BYTES)]],
    ['a generator of nothing', () => yielding(), undefined],
    ['a generator that returns', () => returning({ a: 1 }), { a: 1 }],
    ['a generator that returns a stream', () => returning(webStream('x')), 'x'],
    [
      'a generator that returns a list with a file',
      () => returning(['x', new Blob([BYTES])]),
      ['x', new McpFile(BYTES)],
    ],
    ['a generator that returns null', () => returning(null), null],
    ['a generator of progress', () => yielding({ progress: 1 }), undefined],
    [
      'what looks like progress only',
      () =>
        yielding(
          { progress: '1' },
          { progress: 1, id: 2 },
          { progress: 1, total: '2' },
          { progress: 1, message: 3 },
        ),
      [
        { progress: '1' },
        { progress: 1, id: 2 },
        { progress: 1, total: '2' },
        { progress: 1, message: 3 },
      ],
    ],
    ['a synchronous generator of text', () => yieldingNow('grö', 'ße'), 'größe'],
    ['a synchronous generator of promises', () => yieldingNow(Promise.resolve('x')), 'x'],
    [
      'a synchronous generator of files',
      () => yieldingNow(new Blob([BYTES])),
      [new McpFile(BYTES)],
    ],
    ['a synchronous generator of nothing', () => yieldingNow(), undefined],
    ['a synchronous generator that returns', () => returningNow({ a: 1 }), { a: 1 }],
    [
      'a synchronous generator that returns a promise',
      () => returningNow(Promise.resolve('x'), { progress: 1 }),
      'x',
    ],
    ['the iterator of a Map', () => new Map([['a', 1]]).entries(), [['a', 1]]],
    [
      'an async iterable that is no generator',
      () => ({ [Symbol.asyncIterator]: () => yielding('x') }),
      'x',
    ],
  ])('reads %s', async (_, make, value) => {
    expect(await collect(make())).toEqual(value);
  });

  it('sends what is yielded as progress', async () => {
    const { source, sent } = progressSource();
    const value = returning(
      'done',
      { progress: 1, total: 3 },
      { progress: 2, total: 3, message: 'Half' },
      { progress: 3 },
    );
    expect(await collect(value, { progress: source })).toBe('done');
    expect(sent).toEqual([
      { progress: 1, total: 3, message: undefined },
      { progress: 2, total: 3, message: 'Half' },
      { progress: 3, total: undefined, message: undefined },
    ]);
  });

  it('sends what a synchronous generator yields as progress', async () => {
    const { source, sent } = progressSource();
    const value = returningNow('done', { progress: 1 }, { progress: 2 });
    expect(await collect(value, { progress: source })).toBe('done');
    expect(sent).toMatchObject([{ progress: 1 }, { progress: 2 }]);
  });

  it('ends a synchronous generator, whatever the reason', async () => {
    const error = new Error('no');
    for (const piece of ['1234', error]) {
      let ended = false;
      function* generate(): Generator {
        try {
          yield piece === error ? Promise.reject(error) : piece;
        } finally {
          ended = true;
        }
      }
      await expect(collect(generate(), { maxBytes: 3 })).rejects.toThrow(Error);
      expect(ended).toBe(true);
    }
  });

  it('ends a generator whose progress does not increase', async () => {
    const { source: progress } = progressSource();
    const { source, ended } = generator({ progress: 2 }, { progress: 1 }, 'x');
    await expect(collect(source, { progress })).rejects.toThrow(InvalidProgressException);
    expect(ended()).toBe(true);
  });

  it('refuses a generator that yields a part of its result and returns one', async () => {
    const refused = collect(returning('y', 'x'));
    await expect(refused).rejects.toThrow(InvalidResultException);
    await expect(refused).rejects.toThrow(
      'it is a generator that yielded a part of its result, and returned one too. ' +
        'Yield progress and return the result, or yield the parts of the result and return nothing.',
    );
  });

  it.each<[string, () => unknown, string]>([
    [
      'that gives objects',
      () => Readable.from([{ a: 1 }]),
      'the stream of a file gave something other than bytes and text. Give a stream of bytes.',
    ],
    [
      'that is none',
      () => ({ pipe: () => undefined }),
      'the stream of a file cannot be read. Give a stream of bytes.',
    ],
  ])('refuses a StreamableFile of a stream %s', async (_, stream, detail) => {
    const refused = collect(new StreamableFile(stream() as Readable));
    await expect(refused).rejects.toThrow(detail);
  });

  describe('holds to the limit', () => {
    it.each<[string, () => unknown]>([
      ['bytes', () => Buffer.alloc(4)],
      ['a typed array', () => new Float64Array(1)],
      ['a file', () => new McpFile('größ')],
      ['a Blob', () => new Blob(['1234'])],
      ['a Node stream', () => Readable.from([Buffer.alloc(2), Buffer.alloc(2)])],
      ['a Web stream', () => webStream('12', '34')],
      ['a StreamableFile', () => new StreamableFile(Readable.from([Buffer.alloc(4)]))],
      ['a generator of text', () => yielding('12', 'ö1')],
      ['a generator of rows', () => yielding([1, 2])],
      ['a generator that returns bytes', () => returning(Buffer.alloc(4))],
      ['a list', () => ['x', Buffer.alloc(2), Buffer.alloc(2)]],
    ])('over %s', async (_, make) => {
      const refused = collect(make(), { maxBytes: 3 });
      await expect(refused).rejects.toThrow(ResultTooLargeException);
      await expect(refused).rejects.toThrow('"open" returned more than maxResultBytes (3).');
    });

    it.each<[string, () => unknown]>([
      ['bytes', () => Buffer.alloc(3)],
      ['a stream', () => Readable.from(['12', 'x'])],
      ['a generator of files', () => yielding(new Blob(['123']))],
      ['a generator of what JSON has not', () => yielding(1n, () => 1)],
    ])('but not beyond it, over %s', async (_, make) => {
      await expect(Promise.resolve(collect(make(), { maxBytes: 3 }))).resolves.toBeDefined();
    });

    it('and destroys a Node stream', async () => {
      const stream = new PassThrough();
      const refused = collect(stream, { maxBytes: 3 });
      stream.write('1234');
      await expect(refused).rejects.toThrow(ResultTooLargeException);
      expect(stream.destroyed).toBe(true);
    });

    it('and does not open a file that says it is larger', async () => {
      const stream = new PassThrough();
      const file = new StreamableFile(stream, { length: 4 });
      await expect(collect(file, { maxBytes: 3 })).rejects.toThrow(ResultTooLargeException);
      expect(stream.destroyed).toBe(true);
    });

    it('and cancels a Web stream', async () => {
      let cancelled = false;
      const stream = new ReadableStream({
        pull: (controller) => controller.enqueue('1234'),
        cancel: () => {
          cancelled = true;
        },
      });
      await expect(collect(stream, { maxBytes: 3 })).rejects.toThrow(ResultTooLargeException);
      expect(cancelled).toBe(true);
    });

    it('and ends a generator', async () => {
      const { source, ended } = generator('1234', 'x');
      await expect(collect(source, { maxBytes: 3 })).rejects.toThrow(ResultTooLargeException);
      expect(ended()).toBe(true);
    });

    it('and opens no more of a list', async () => {
      const rest = [new PassThrough(), new StreamableFile(new PassThrough()), 'x'] as const;
      const refused = collect([Buffer.alloc(4), ...rest], { maxBytes: 3 });
      await expect(refused).rejects.toThrow(ResultTooLargeException);
      expect(rest[0].destroyed).toBe(true);
      expect(rest[1].getStream().destroyed).toBe(true);
    });
  });

  describe('fails as the source fails', () => {
    const error = new Error('disk on fire');

    it.each<[string, () => unknown]>([
      ['a Node stream', () => new Readable({ read: () => undefined }).destroy(error)],
      ['a Web stream', () => new ReadableStream({ pull: () => Promise.reject(error) })],
      [
        'a StreamableFile',
        () =>
          new StreamableFile(
            new Readable({
              read() {
                this.destroy(error);
              },
            }),
          ),
      ],
      ['a generator', () => failing(error)],
      [
        'an iterator',
        () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => {
              throw error;
            },
          }),
        }),
      ],
    ])('%s', async (_, make) => {
      await expect(collect(make())).rejects.toBe(error);
    });

    it('a file that is not there', async () => {
      await expect(collect(createReadStream('/no/such/file'))).rejects.toThrow('ENOENT');
    });

    it('a stream of a list that failed before its turn came', async () => {
      const [first, second] = [new PassThrough(), createReadStream('/no/such/file')];
      const value = collect([first, second]) as Promise<unknown>;
      await closed(second);
      first.end('x');
      await expect(value).rejects.toThrow('ENOENT');
    });

    it('a stream of a list that tells nobody but its listeners that it has failed', async () => {
      const [first, second] = [new PassThrough(), new PassThrough()];
      const value = collect([first, second]) as Promise<unknown>;
      second.emit('error', error);
      first.end('x');
      await expect(value).rejects.toBe(error);
    });

    it.each<[string, (missing: Readable) => unknown]>([
      ['a list whose first item fails', (missing) => [Buffer.alloc(4), missing]],
      ['a file that says it is too large', (missing) => new StreamableFile(missing, { length: 4 })],
    ])('a stream that fails when it is let go of: %s', async (_, make) => {
      const missing = createReadStream('/no/such/file');
      const end = closed(missing);
      const refused = collect(make(missing), { maxBytes: 3 });
      await expect(refused).rejects.toThrow(ResultTooLargeException);
      await end;
    });

    it('a list whose last stream somebody else reads', async () => {
      const [first, last] = [new PassThrough(), webStream('x')];
      last.getReader();
      await expect(collect([first, last])).rejects.toThrow('locked');
      expect(first.destroyed).toBe(true);
    });

    it('a stream that somebody else reads', async () => {
      const stream = webStream('x');
      stream.getReader();
      await expect(collect(stream)).rejects.toThrow('locked');
    });

    it('whatever its end does', async () => {
      const source = {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: '1234' }),
          return: () => Promise.reject(error),
        }),
      };
      await expect(collect(source, { maxBytes: 3 })).rejects.toThrow(ResultTooLargeException);
    });
  });

  describe('stops when the call is cancelled', () => {
    it('a Node stream that waits', async () => {
      const { exchange, cancel } = exchangeWith();
      const stream = new PassThrough();
      const value = collect(stream, { exchange }) as Promise<unknown>;
      const end = once(stream, 'close');
      const reason = cancel();
      await expect(value).rejects.toBe(reason);
      await end;
      expect(stream.destroyed).toBe(true);
    });

    it('a Web stream that waits', async () => {
      const { exchange, cancel } = exchangeWith();
      let cancelled = false;
      const stream = new ReadableStream({
        cancel: () => {
          cancelled = true;
        },
      });
      const value = collect(stream, { exchange }) as Promise<unknown>;
      const reason = cancel();
      await expect(value).rejects.toBe(reason);
      expect(cancelled).toBe(true);
    });

    it('a generator, at its next yield', async () => {
      const { exchange, cancel } = exchangeWith();
      const trace: string[] = [];
      let goOn: () => void = () => undefined;
      async function* generate(): AsyncGenerator<string> {
        try {
          await new Promise<void>((resolve) => (goOn = resolve));
          yield 'never sent';
          trace.push('went on');
        } finally {
          trace.push('ended');
        }
      }
      const value = collect(generate(), { exchange }) as Promise<unknown>;
      const reason = cancel();
      goOn();
      await expect(value).rejects.toBe(reason);
      expect(trace).toEqual(['ended']);
    });

    it('a stream that had not been opened', async () => {
      const { exchange, cancel } = exchangeWith();
      expect(exchange.signal.aborted).toBe(false);
      const reason = cancel();
      const stream = new PassThrough();
      await expect(collect(stream, { exchange })).rejects.toBe(reason);
      expect(stream.destroyed).toBe(true);
    });
  });
});
