import { PassThrough, Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { McpOrigin } from '../../exchange/index.js';
import type { ResolvedStdioOptions } from '../../options/index.js';
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../../protocol/index.js';
import type { McpDispatcher, McpReply } from '../../server/index.js';
import { LineWriter } from './line-writer.js';
import { StdioConnection } from './stdio.connection.js';

/** A request at work; the spec ends it. */
interface Call {
  readonly request: JsonRpcRequest;
  readonly origin: McpOrigin;
  readonly reasons: unknown[];
  answer(result?: string): void;
}

const PROGRESS: JsonRpcNotification = { jsonrpc: '2.0', method: 'notifications/progress' };
const turn = (): Promise<void> => new Promise(setImmediate);

function request(id: RequestId, method = 'tools/call', params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function cancel(params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

/** A client that reads when it likes. */
class Output extends Writable {
  text = '';
  /** What waits for the client to read on. */
  readonly resumed: (() => void)[] = [];

  constructor(private reads: boolean) {
    super({ highWaterMark: 16 });
  }

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this.text += chunk.toString();
    if (this.reads) done();
    else this.resumed.push(done);
  }

  readOn(): void {
    this.reads = true;
    this.resumed.splice(0).forEach((done) => done());
  }
}

const calls: Call[] = [];
let input: PassThrough;
let output: Output;
let connection: StdioConnection;

/** Keeps every request until the spec answers it. */
const dispatcher = {
  handle: (message: JsonRpcRequest, origin: McpOrigin): Promise<McpReply> =>
    new Promise((resolve) => {
      const reasons: unknown[] = [];
      origin.onCancel((reason) => reasons.push(reason));
      calls.push({
        request: message,
        origin,
        reasons,
        answer: (result = 'ok') => {
          const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
          resolve({ httpStatus: 200, httpHeaders: {}, body });
        },
      });
    }),
} as unknown as McpDispatcher;

function open(options: Partial<ResolvedStdioOptions> = {}, reads = true): void {
  input = new PassThrough();
  output = new Output(reads);
  connection = new StdioConnection(input, new LineWriter(output), dispatcher, {
    maxLineBytes: 200,
    maxInFlight: 10,
    graceMs: 2 ** 31 - 1,
    maxBufferedBytes: 1_000,
    ...options,
  });
}

async function say(...lines: (string | Buffer)[]): Promise<void> {
  for (const line of lines) {
    input.write(line);
    input.write('\n');
  }
  await turn();
}

/** What the client has been sent, and forgets it. */
function heard(): unknown[] {
  const lines = output.text.split('\n');
  expect(lines.pop()).toBe('');
  output.text = '';
  return lines.map((line) => JSON.parse(line) as unknown);
}

function call(index: number): Call {
  const found = calls[index];
  if (found === undefined) throw new Error(`there are ${calls.length} calls`);
  return found;
}

const result = (id: RequestId, value = 'ok'): unknown => ({ jsonrpc: '2.0', id, result: value });
const error = (code: number, message: string, members: object = {}): unknown => ({
  jsonrpc: '2.0',
  ...members,
  error: { code, message },
});

beforeAll(() => void Logger.overrideLogger(false));
afterAll(() => void Logger.overrideLogger(true));

beforeEach(() => {
  calls.length = 0;
  open();
});

describe('A connection over stdio', () => {
  it('hands on requests, and answers when they are done, in any order', async () => {
    await say(request(1), request('1'), request(2));
    expect(calls.map(({ request: { id } }) => id)).toEqual([1, '1', 2]);
    expect(call(0).origin).toMatchObject({ transport: 'stdio', headers: {}, cancelled: false });
    expect(call(0).origin.request).toBeUndefined();
    call(2).answer();
    call(1).answer('text');
    await turn();
    expect(heard()).toEqual([result(2), result('1', 'text')]);
    call(0).answer();
    await turn();
    expect(heard()).toEqual([result(1)]);
  });

  it('reads lines with carriage returns, and no blank ones', async () => {
    await say('', '\r', ' \t', `${request(1)}\r`, '');
    expect(calls).toHaveLength(1);
    expect(heard()).toEqual([]);
  });

  it.each<[string, string | Buffer, unknown]>([
    ['bad JSON', '{"a"', error(-32700, 'The message is not valid JSON: 4 characters were read.')],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x22, 0xc3, 0x28, 0x22]),
      error(-32700, 'The message is not valid JSON: it is not UTF-8.'),
    ],
    [
      'a batch',
      `[${request(1)}]`,
      error(-32600, 'Batches are not part of the protocol. Send one message.'),
    ],
    ['what is no message', '{}', error(-32600, 'This is not a JSON-RPC 2.0 message.')],
    [
      'a request without a method, with its id',
      '{"jsonrpc":"2.0","id":7}',
      error(-32600, 'The message has no method.', { id: 7 }),
    ],
    [
      'a line that is too long',
      'x'.repeat(1_000),
      error(-32600, 'The line is longer than 200 bytes. Send less, or raise stdio.maxLineBytes.'),
    ],
  ])('refuses %s, and goes on', async (_, line, answer) => {
    await say(line, request(1));
    expect(heard()).toEqual([answer]);
    expect(calls).toHaveLength(1);
  });

  it('tells a client of an earlier revision which one is spoken', async () => {
    await say(request(1, 'initialize', { protocolVersion: '2025-11-25' }));
    expect(heard()).toMatchObject([
      { id: 1, error: { code: -32022, data: { supported: ['2026-07-28'] } } },
    ]);
    expect(calls).toHaveLength(0);
    await say(request(1));
    expect(calls).toHaveLength(1);
  });

  it('ignores responses and notifications it does not know', async () => {
    await say(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    );
    expect(heard()).toEqual([]);
  });

  it('refuses an id that is in flight, without troubling its owner', async () => {
    await say(request(1), request(1), '{"jsonrpc":"2.0","id":1,"method":5}');
    expect(heard()).toEqual([
      {
        jsonrpc: '2.0',
        error: {
          code: -32600,
          message:
            'A request with this id is in flight already. Give every request an id of its own.',
          data: { requestId: 1 },
        },
      },
      error(-32600, 'The message has no method.'),
    ]);
    call(0).answer();
    await turn();
    expect(heard()).toEqual([result(1)]);
    await say(request(1));
    expect(calls).toHaveLength(2);
  });

  it('works on so many requests and no more; subscriptions do not count', async () => {
    open({ maxInFlight: 1 });
    await say(request(1, 'subscriptions/listen'), request(2), request(3));
    expect(heard()).toMatchObject([{ id: 3, error: { code: 503, data: { maxInFlight: 1 } } }]);
    expect(calls).toHaveLength(2);
    // A call that was taken back counts until it has really ended.
    await say(cancel({ requestId: 2 }), request(4));
    expect(heard()).toMatchObject([{ id: 4, error: { code: 503 } }]);
    call(1).answer();
    await turn();
    await say(request(5));
    expect(heard()).toEqual([]);
    expect(calls).toHaveLength(3);
  });

  it('sends notifications of a request until it is answered', async () => {
    await say(request(1));
    expect(call(0).origin.notify(PROGRESS)).toBe(true);
    call(0).answer();
    await turn();
    expect(call(0).origin.notify(PROGRESS)).toBe(false);
    call(0).origin.drop();
    expect(heard()).toEqual([PROGRESS, result(1)]);
    expect(call(0).reasons).toEqual([]);
  });
});

describe('A cancelled request', () => {
  it.each<[string, object, string]>([
    ['without a reason', {}, 'The client cancelled the request.'],
    ['with one', { reason: 'no\ntime' }, 'The client cancelled the request: "no\\ntime"'],
    ['with an empty one', { reason: '' }, 'The client cancelled the request.'],
    ['with one that is no text', { reason: 5 }, 'The client cancelled the request.'],
    [
      'with a long one',
      { reason: 'x'.repeat(1_000) },
      `The client cancelled the request: "${'x'.repeat(200)}"`,
    ],
  ])('stops, and nothing is sent for it any more (%s)', async (_, members, message) => {
    open({ maxLineBytes: 2_000 });
    await say(request('a'), cancel({ requestId: 'a', ...members }));
    const { origin, reasons, answer } = call(0);
    expect(origin.cancelled).toBe(true);
    expect(reasons).toEqual([expect.objectContaining({ name: 'AbortError', message })]);
    expect(origin.notify(PROGRESS)).toBe(false);
    origin.drop();
    answer();
    await turn();
    expect(heard()).toEqual([]);
  });

  it('frees its id at once, and its late answer is not taken for that of the next', async () => {
    await say(request(1), cancel({ requestId: 1 }), request(1));
    call(0).answer('late');
    await turn();
    expect(heard()).toEqual([]);
    call(1).answer('right');
    await turn();
    expect(heard()).toEqual([result(1, 'right')]);
  });

  it.each<unknown>([
    undefined,
    {},
    { requestId: '1' },
    { requestId: 2 },
    { requestId: null },
    { requestId: 1.5 },
    { requestId: { id: 1 } },
  ])('is not one that nobody named: %j', async (params) => {
    await say(request(1), cancel(params));
    expect(call(0).origin.cancelled).toBe(false);
    call(0).answer();
    await turn();
    expect(heard()).toEqual([result(1)]);
  });

  it('has been answered, perhaps', async () => {
    await say(request(1));
    call(0).answer();
    await turn();
    await say(cancel({ requestId: 1 }));
    expect(heard()).toEqual([result(1)]);
    expect(call(0).reasons).toEqual([]);
  });
});

describe('A dropped exchange', () => {
  it('of a subscription is told of, once, and ends', async () => {
    await say(request('s', 'subscriptions/listen'));
    const { origin, reasons, answer } = call(0);
    origin.drop();
    origin.drop();
    expect(origin.cancelled).toBe(true);
    expect(reasons).toHaveLength(1);
    expect(origin.notify(PROGRESS)).toBe(false);
    answer();
    await turn();
    expect(heard()).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 's' }, requestId: 's' },
      },
    ]);
  });

  it('of another request is not: the protocol forbids it', async () => {
    await say(request(1));
    call(0).origin.drop();
    call(0).answer();
    await turn();
    expect(heard()).toEqual([]);
    expect(call(0).origin.cancelled).toBe(true);
  });
});

describe('A client that reads slowly', () => {
  it('misses notifications, not answers, and is not read until it has caught up', async () => {
    open({ maxBufferedBytes: 100 }, false);
    await say(request(1), request(2));
    const { origin } = call(0);
    let sent = 0;
    while (origin.notify(PROGRESS)) sent += 1;
    // The first that does not fit is written still: what waits is a limit, and one message more.
    expect(sent).toBe(2);
    call(0).answer();
    await say(request(3));
    expect(calls).toHaveLength(2);
    output.readOn();
    await turn();
    expect(heard()).toEqual([...Array<unknown>(sent).fill(PROGRESS), result(1)]);
    expect(calls).toHaveLength(3);
    expect(call(1).origin.notify(PROGRESS)).toBe(true);
  });

  it('is read while what waits is little', async () => {
    open({}, false);
    await say(request(1));
    call(0).origin.notify(PROGRESS);
    await say(request(2));
    expect(calls).toHaveLength(2);
  });
});

describe('A client that does not read', () => {
  /** One request that is answered, and with that more waits than may. */
  async function congest(options: Partial<ResolvedStdioOptions> = {}): Promise<void> {
    open({ maxBufferedBytes: 1, ...options }, false);
    await say(request(1), request(2));
    call(0).answer();
    await turn();
  }

  afterEach(() => void jest.useRealTimers());

  function fakeTimers(): void {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  }

  it('is read ahead no further than a line may be long, and in order once it reads on', async () => {
    await congest();
    for (let id = 3; !input.isPaused(); id += 1) await say(request(id));
    await say(request('later'));
    expect(calls.map(({ request: { id } }) => id)).toEqual([1, 2]);
    output.readOn();
    await turn();
    const ids = calls.map(({ request: { id } }) => id);
    expect(ids.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(ids.slice(4)).toEqual([...ids.slice(4, -1), 'later']);
    expect(input.isPaused()).toBe(false);
  });

  it('is answered all it has asked before it closed its side, if it reads on', async () => {
    await congest();
    await say(request(3));
    input.end(request(4));
    await turn();
    expect(calls).toHaveLength(2);
    output.readOn();
    await connection.ended;
    expect(calls.map(({ request: { id } }) => id)).toEqual([1, 2, 3, 4]);
  });

  it('is given its time again whenever it takes something', async () => {
    fakeTimers();
    await congest({ graceMs: 100 });
    await say('x', 'y');
    input.end(request(3));
    await turn();
    let ended = false;
    void connection.ended.then(() => (ended = true));
    call(1).answer();
    await turn();
    jest.advanceTimersByTime(99);
    output.resumed.shift()?.();
    await turn();
    jest.advanceTimersByTime(100);
    await turn();
    expect(ended).toBe(false);
    jest.advanceTimersByTime(100);
    await turn();
    expect(ended).toBe(true);
    expect(calls).toHaveLength(2);
  });

  it('has gone when it has closed its side and takes nothing', async () => {
    await congest({ graceMs: 1 });
    await say(request(3));
    input.end();
    await connection.ended;
    expect(calls).toHaveLength(2);
    call(1).answer();
    await connection.close();
    expect(calls).toHaveLength(2);
  });

  it('is not waited for by a server that closes', async () => {
    fakeTimers();
    await congest();
    await say(request(3));
    input.end();
    await turn();
    const drained = connection.drain();
    output.readOn();
    call(1).answer();
    await drained;
    expect(calls).toHaveLength(2);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('The end of a connection', () => {
  it('by the client leaves calls in flight their time', async () => {
    await say(request(1), request(2, 'subscriptions/listen'));
    // The last line needs no newline.
    input.end(request(3));
    await connection.ended;
    expect(calls).toHaveLength(3);
    const drained = connection.drain();
    call(2).answer();
    await turn();
    expect(call(0).origin.cancelled).toBe(false);
    call(0).answer();
    await drained;
    expect(heard()).toEqual([result(3), result(1)]);
    // Subscriptions end with the application.
    expect(call(1).origin.cancelled).toBe(false);
    call(1).answer('complete');
    await connection.close();
    await connection.closed;
    expect(heard()).toEqual([result(2, 'complete')]);
    expect(output.writableEnded).toBe(true);
  });

  it.each<[string, number, () => void]>([
    ['their time is up', 0, () => undefined],
    ['somebody hurries', 2 ** 31 - 1, () => connection.hurry()],
  ])('cuts calls when %s, without an answer', async (_, graceMs, hurry) => {
    open({ graceMs });
    await say(request(1));
    input.end();
    const drained = connection.drain();
    hurry();
    await drained;
    expect(call(0).reasons).toEqual([
      expect.objectContaining({ name: 'AbortError', message: 'The server is shutting down.' }),
    ]);
    call(0).answer();
    await connection.close();
    expect(heard()).toEqual([]);
  });

  it('by the server reads nothing more, and drops subscriptions that have not ended', async () => {
    await say(request(1, 'subscriptions/listen'));
    const closing = connection.close();
    await say(request(2));
    await closing;
    expect(calls).toHaveLength(1);
    expect(call(0).origin.cancelled).toBe(true);
    expect(heard()).toMatchObject([{ method: 'notifications/cancelled' }]);
    expect(input.destroyed).toBe(true);
  });

  it('reads nothing of a chunk after its end', async () => {
    input.on('data', () => void connection.drain());
    input.write(`${request(1)}\n`);
    input.write(`${request(2)}\n`);
    await turn();
    expect(calls.map(({ request: { id } }) => id)).toEqual([1]);
    connection.hurry();
    await connection.drain();
  });

  it('does not wait for a client that never reads', async () => {
    open({ graceMs: 1 }, false);
    await say('x', 'y');
    await connection.close();
  });

  it.each<[string, () => void]>([
    ['reads no more', () => output.destroy(new Error('EPIPE'))],
    ['has closed both sides', () => output.destroy()],
  ])('cancels everything when the client %s', async (_, leave) => {
    await say(request(1), request(2, 'subscriptions/listen'));
    leave();
    await connection.ended;
    for (const { reasons } of calls) {
      expect(reasons).toEqual([
        expect.objectContaining({ name: 'AbortError', message: 'The client has gone away.' }),
      ]);
    }
    call(0).answer();
    await connection.close();
    expect(output.text).toBe('');
  });

  it.each<[string, () => void]>([
    ['an error', () => input.destroy(new Error('EIO'))],
    ['no more than closing', () => input.destroy()],
  ])('may come with %s of the input', async (_, leave) => {
    leave();
    await connection.ended;
    await connection.close();
    expect(heard()).toEqual([]);
  });
});

it('logs why a request was cancelled, on one line', async () => {
  const debug = jest.spyOn(Logger.prototype, 'debug').mockReturnValue(undefined);
  await say(request(1), cancel({ requestId: 1, reason: 'a\nb' }));
  expect(debug.mock.calls).toEqual([['The client cancelled a request: "a\\nb"']]);
  debug.mockRestore();
});
