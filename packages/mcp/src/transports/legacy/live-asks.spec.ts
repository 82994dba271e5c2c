import { jest } from '@jest/globals';
import { ClientRefusalException } from '../../exceptions/index.js';
import type {
  InputRequests,
  JsonRpcNotification,
  JsonRpcRequest,
  LegacyRevision,
} from '../../protocol/index.js';
import { type LiveAskLimits, LiveAsks, type Send } from './live-asks.js';

const ROOTS = { method: 'roots/list' } as const;
const TTL_MS = 1_000;

/** The stream of a call, whose client reads while `isOpen`. */
class Line {
  readonly sent: (JsonRpcRequest | JsonRpcNotification)[] = [];
  isOpen = true;
  /** Ends the call. */
  cancel: (reason?: unknown) => void = () => undefined;

  readonly send: Send = (message) => {
    if (this.isOpen) this.sent.push(message);
    return this.isOpen;
  };

  readonly onCancel = (listener: (reason: unknown) => void): void => {
    this.cancel = listener;
  };

  get ids(): string[] {
    return this.sent.flatMap((message) => ('id' in message ? [message.id as string] : []));
  }

  get cancelled(): unknown[] {
    return this.sent.flatMap(({ method, params }) =>
      method === 'notifications/cancelled' ? [params] : [],
    );
  }
}

function asksOf(
  limits: Partial<LiveAskLimits> = {},
  revision: LegacyRevision = '2025-11-25',
): LiveAsks {
  return new LiveAsks(revision, { maxAsks: 64, ttlMs: TTL_MS, ...limits });
}

function ask(asks: LiveAsks, line: Line, ...keys: string[]): Promise<Record<string, unknown>> {
  const requests: InputRequests = Object.fromEntries(keys.map((key) => [key, ROOTS]));
  return asks.ask(requests, line.send, line.onCancel);
}

/** What becomes of a call that is refused, whenever that is. */
async function refusal(asked: Promise<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => 'was not refused',
    (thrown: unknown) => thrown,
  );
  return error instanceof ClientRefusalException ? error.message : error;
}

const hasNoAnswer = (key: string, fact: string): string =>
  `The question "${key}" has no answer: ${fact}`;

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
});

afterEach(() => {
  jest.useRealTimers();
});

describe('Questions to a client', () => {
  it('are sent at once, and resolve with all answers by key', async () => {
    const line = new Line();
    const asks = asksOf();
    const asked = ask(asks, line, 'a', 'b');
    const [first, second] = line.ids;
    expect(line.sent).toEqual([
      { jsonrpc: '2.0', id: first, method: 'roots/list' },
      { jsonrpc: '2.0', id: second, method: 'roots/list' },
    ]);
    asks.hear({ id: second, result: { roots: [2] } });
    asks.hear({ id: first, result: { roots: [1] } });
    expect(await asked).toEqual({ a: { roots: [1] }, b: { roots: [2] } });
    expect(line.cancelled).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('that are none have no answers', async () => {
    const line = new Line();
    expect(await ask(asksOf({ maxAsks: 1 }), line)).toEqual({});
    expect(line.sent).toEqual([]);
  });

  it('that its revision has no words for are refused before any is sent', async () => {
    const line = new Line();
    const requests: InputRequests = {
      a: ROOTS,
      b: {
        method: 'elicitation/create',
        params: { message: 'Plan?', requestedSchema: { type: 'object', properties: {} } },
      },
    };
    const asked = asksOf({}, '2025-03-26').ask(requests, line.send, line.onCancel);
    expect(await refusal(asked)).toMatch(/^The question "b" has no answer: revision 2025-03-26/);
    expect(line.sent).toEqual([]);
  });
});

describe('The id of a question', () => {
  it('is a text that no other of the session has or had', async () => {
    const line = new Line();
    const asks = asksOf();
    const calls = [ask(asks, line, 'a', 'b'), ask(asks, line, 'a')];
    for (const id of line.ids) asks.hear({ id, result: {} });
    await Promise.all(calls);
    const later = ask(asks, line, 'a');
    asks.hear({ id: line.ids.at(-1), result: {} });
    await later;
    expect(new Set(line.ids).size).toBe(4);
    expect(line.ids.map((id) => typeof id)).toEqual(Array.from({ length: 4 }, () => 'string'));
  });

  it('is not one that another instance has given in the same session', async () => {
    const [here, there] = [new Line(), new Line()];
    const [asksHere, asksThere] = [asksOf(), asksOf()];
    const asked = ask(asksHere, here, 'a');
    const ended = refusal(ask(asksThere, there, 'a'));
    asksHere.hear({ id: there.ids[0], result: { roots: ['there'] } });
    asksHere.hear({ id: here.ids[0], result: { roots: ['here'] } });
    expect(await asked).toEqual({ a: { roots: ['here'] } });
    asksThere.close();
    expect(await ended).toBe(hasNoAnswer('a', 'the session has ended.'));
  });
});

describe('A question ends once:', () => {
  it.each<[unknown, string]>([
    [{ code: -32603, message: 'No' }, 'the client answered with the error -32603.'],
    [{ code: 0 }, 'the client answered with the error 0.'],
    [{ message: 'No' }, 'the client answered with an error without a code.'],
    [{ code: 'x' }, 'the client answered with an error without a code.'],
    [{ code: { toString: 1 } }, 'the client answered with an error without a code.'],
    [null, 'the client answered with an error without a code.'],
    ['No', 'the client answered with an error without a code.'],
  ])('by the error %j', async (error, fact) => {
    const line = new Line();
    const asks = asksOf();
    const ended = refusal(ask(asks, line, 'a'));
    asks.hear({ id: line.ids[0], error });
    expect(await ended).toBe(hasNoAnswer('a', fact));
    expect(line.cancelled).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('by the end of its time, of which the client is told', async () => {
    const line = new Line();
    const ended = refusal(ask(asksOf(), line, 'a'));
    jest.advanceTimersByTime(TTL_MS - 1);
    expect(line.cancelled).toEqual([]);
    jest.advanceTimersByTime(1);
    const reason = `it was not answered within ${TTL_MS} ms.`;
    expect(line.cancelled).toEqual([{ requestId: line.ids[0], reason }]);
    expect(await ended).toBe(hasNoAnswer('a', reason));
  });

  it('not by the end of a time that is longer than timers can wait', async () => {
    const line = new Line();
    const asks = asksOf({ ttlMs: 2 ** 40 });
    const asked = ask(asks, line, 'a');
    jest.advanceTimersByTime(60_000);
    asks.hear({ id: line.ids[0], result: {} });
    expect(await asked).toEqual({ a: {} });
  });

  it('by the end of its call, of which the client is told', async () => {
    const line = new Line();
    const ended = refusal(ask(asksOf(), line, 'a', 'b'));
    line.cancel('The client cancelled the request.');
    expect(line.cancelled).toEqual(
      line.ids.map((requestId) => ({ requestId, reason: 'the call has ended.' })),
    );
    expect(await ended).toBe(hasNoAnswer('a', 'the call has ended.'));
    expect(jest.getTimerCount()).toBe(0);
  });

  it('by the refusal of another that was asked with it, of which the client is told', async () => {
    const line = new Line();
    const asks = asksOf();
    const ended = refusal(ask(asks, line, 'a', 'b'));
    asks.hear({ id: line.ids[1], error: { code: -1 } });
    expect(await ended).toBe(hasNoAnswer('b', 'the client answered with the error -1.'));
    expect(line.cancelled).toEqual([{ requestId: line.ids[0], reason: 'the call has ended.' }]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('by the end of the session, where nobody is left to be told', async () => {
    const line = new Line();
    const asks = asksOf();
    const ended = refusal(ask(asks, line, 'a', 'b'));
    asks.close();
    line.cancel('The session has ended.');
    expect(await ended).toBe(hasNoAnswer('a', 'the session has ended.'));
    expect(line.cancelled).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('by its answer, though its call ends right after', async () => {
    const line = new Line();
    const asks = asksOf();
    const asked = ask(asks, line, 'a');
    asks.hear({ id: line.ids[0], result: { roots: [1] } });
    asks.hear({ id: line.ids[0], result: { roots: [2] } });
    line.cancel();
    expect(await asked).toEqual({ a: { roots: [1] } });
    line.cancel();
    expect(line.cancelled).toEqual([]);
  });

  it('before it is sent where its call has ended', async () => {
    const line = new Line();
    const asked = asksOf().ask({ a: ROOTS }, line.send, (listener) => listener('over'));
    expect(await refusal(asked)).toBe(hasNoAnswer('a', 'the call has ended.'));
    expect(line.sent).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('before it is sent where the session has ended', async () => {
    const line = new Line();
    const asks = asksOf();
    asks.close();
    expect(await refusal(ask(asks, line, 'a'))).toBe(hasNoAnswer('a', 'the session has ended.'));
    expect(line.sent).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('where it cannot be sent, and the client is not told of what it has not seen', async () => {
    const line = new Line();
    line.isOpen = false;
    const ended = refusal(ask(asksOf(), line, 'a'));
    line.isOpen = true;
    line.cancel();
    expect(await ended).toBe(hasNoAnswer('a', 'the client reads too slowly.'));
    expect(line.sent).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('where sending it fails', async () => {
    const line = new Line();
    const asks = asksOf({ maxAsks: 1 });
    const failure = new Error('The stream is broken');
    const send = (): boolean => {
      throw failure;
    };
    expect(await refusal(asks.ask({ a: ROOTS }, send, line.onCancel))).toBe(failure);
    expect(jest.getTimerCount()).toBe(0);
    const asked = ask(asks, line, 'a');
    asks.hear({ id: line.ids[0], result: {} });
    expect(await asked).toEqual({ a: {} });
  });
});

describe('No more questions wait at once than may:', () => {
  const FULL = '2 questions of this session wait already, as many as may (sessions.maxAsks).';

  it('what goes beyond fails its call, and nothing of it is sent', async () => {
    const line = new Line();
    const other = new Line();
    const asks = asksOf({ maxAsks: 2 });
    const asked = ask(asks, line, 'a');
    expect(await refusal(ask(asks, other, 'b', 'c'))).toBe(hasNoAnswer('b', FULL));
    expect(other.sent).toEqual([]);
    asks.hear({ id: line.ids[0], result: {} });
    expect(await asked).toEqual({ a: {} });
  });

  it('as many as may are asked, and as many again once those have ended', async () => {
    const line = new Line();
    const asks = asksOf({ maxAsks: 2 });
    const asked = ask(asks, line, 'a', 'b');
    expect(await refusal(ask(asks, line, 'c'))).toBe(hasNoAnswer('c', FULL));
    for (const id of line.ids) asks.hear({ id, result: {} });
    const again = ask(asks, line, 'd', 'e');
    for (const id of line.ids) asks.hear({ id, result: {} });
    expect(await Promise.all([asked, again])).toEqual([
      { a: {}, b: {} },
      { d: {}, e: {} },
    ]);
  });

  it.each<[string, (line: Line, asks: LiveAsks) => void]>([
    ['its time is over', () => jest.advanceTimersByTime(TTL_MS)],
    ['its call has ended', (line) => line.cancel()],
    ['it has got an error', (line, asks) => asks.hear({ id: line.ids[0], error: { code: 1 } })],
  ])('none waits any more when %s', async (_, end) => {
    const line = new Line();
    const asks = asksOf({ maxAsks: 1 });
    const ended = refusal(ask(asks, line, 'a'));
    end(line, asks);
    const asked = ask(asks, line, 'b');
    asks.hear({ id: line.ids[1], result: {} });
    expect(await asked).toEqual({ b: {} });
    expect(await ended).toMatch(/^The question "a" has no answer/);
  });
});

describe('What answers no question that waits', () => {
  it.each([undefined, null, 1, 'ask-1', 'toString', {}, ['x']])(
    'is ignored: one with the id %j',
    async (id) => {
      const line = new Line();
      const asks = asksOf();
      const asked = ask(asks, line, 'a');
      asks.hear({ id, result: { roots: ['wrong'] } });
      asks.hear({ id, error: { code: 1 } });
      asks.hear({ id: line.ids[0], result: { roots: ['right'] } });
      expect(await asked).toEqual({ a: { roots: ['right'] } });
    },
  );

  it('is ignored: one that comes too late', async () => {
    const line = new Line();
    const asks = asksOf();
    const ended = refusal(ask(asks, line, 'a'));
    jest.advanceTimersByTime(TTL_MS);
    asks.hear({ id: line.ids[0], result: {} });
    expect(await ended).toBe(hasNoAnswer('a', `it was not answered within ${TTL_MS} ms.`));
  });
});
