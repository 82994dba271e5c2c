import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Observable, of } from 'rxjs';
import { McpArg, McpCompletion, type McpCompletions, McpPrompt, McpTool } from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, resultOf, send, textOf, type WireResponse } from '../support/wire.js';

/** Lets a spec wait for something a handler does. */
class Milestone {
  reach!: () => void;
  readonly reached = new Promise<void>((resolve) => (this.reach = resolve));
}

let subscribed: Milestone;
let released: Milestone;

/** Gives these values and goes on. */
function lasting<T>(values: readonly T[], end: () => void = () => undefined): Observable<T> {
  return new Observable((subscriber) => {
    for (const value of values) subscriber.next(value);
    subscribed.reach();
    return () => {
      released.reach();
      end();
    };
  });
}

function stuck(): never {
  throw new Error('stuck on the way out');
}

@Injectable()
class Handlers {
  @McpTool({ maxConcurrent: 1 }) silent(): Observable<string> {
    return lasting([]);
  }

  @McpTool({ maxConcurrent: 1 }) async silentLater(): Promise<Observable<string>> {
    return lasting([]);
  }

  @McpTool({ maxConcurrent: 1, timeoutMs: 20 }) silentTimed(): Observable<string> {
    return lasting([]);
  }

  @McpTool({ maxConcurrent: 1 }) stuck(): Observable<string> {
    return lasting(['first'], stuck);
  }

  @McpTool({ maxConcurrent: 1, timeoutMs: 20 }) stuckTimed(): Observable<string> {
    return lasting(['first'], stuck);
  }

  @McpPrompt({ maxConcurrent: 1 })
  letter(
    @McpArg('tone', { complete: (value) => (value === '' ? lasting([]) : of(['old'], [value])) })
    tone: string,
    @McpArg('reader') reader: string,
  ): string {
    return `${tone} ${reader}`;
  }

  @McpCompletion({ prompt: 'letter', argument: 'reader', maxConcurrent: 1 })
  readers(): Observable<McpCompletions> {
    return lasting<McpCompletions>([]);
  }
}

describe.each(adapters)('An Observable of a handler, on %s', (_, adapter) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Handlers] });
  });

  beforeEach(() => {
    subscribed = new Milestone();
    released = new Milestone();
    server.logs.length = 0;
  });

  afterAll(() => server.close());

  const errorsLogged = (): string[] =>
    server.logs.filter(({ level }) => level === 'error').map(({ text }) => text);

  /** Calls, and goes away once the Observable is subscribed. */
  async function leave(call: (signal: AbortSignal) => Promise<WireResponse>): Promise<void> {
    subscribed = new Milestone();
    released = new Milestone();
    const client = new AbortController();
    const answer = call(client.signal);
    await subscribed.reached;
    client.abort();
    await expect(answer).rejects.toThrow();
    await released.reached;
    // What was thrown on the way out comes to light, and the place is given back.
    await pause(0);
  }

  const complete = (name: string, value: string, signal?: AbortSignal): Promise<WireResponse> =>
    send(
      server.url,
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'letter' }, argument: { name, value } },
      signal === undefined ? {} : { signal },
    );

  it.each(['silent', 'silentLater'])(
    'that has given nothing is let go of when the client goes, and its place given back: %s',
    async (name) => {
      for (let round = 0; round < 2; round += 1) {
        await leave((signal) => callTool(server.url, name, {}, {}, { signal }));
      }
      expect(errorsLogged()).toEqual([]);
    },
  );

  it('that has given nothing is let go of when its time is up, and its place given back', async () => {
    for (let round = 0; round < 2; round += 1) {
      released = new Milestone();
      const result = resultOf(await callTool(server.url, 'silentTimed'));
      expect(result.content?.[0]?.text).toContain('did not finish within 20 ms');
      await released.reached;
    }
    expect(errorsLogged()).toEqual([]);
  });

  it('is let go of when the client goes, however badly it ends', async () => {
    await leave((signal) => callTool(server.url, 'stuck', {}, {}, { signal }));
    expect(errorsLogged()).toEqual([expect.stringContaining('stuck on the way out')]);
    await leave((signal) => callTool(server.url, 'stuck', {}, {}, { signal }));
  });

  it('is let go of when its time is up, however badly it ends', async () => {
    const response = await callTool(server.url, 'stuckTimed');
    expect(textOf(response)).toContain('did not finish within 20 ms');
    await released.reached;
    await pause(0);
    expect(errorsLogged()).toEqual([expect.stringContaining('stuck on the way out')]);
  });

  it.each([
    ['a method', 'reader'],
    ['a function', 'tone'],
  ])('of completions is let go of when the client goes: %s', async (_kind, argument) => {
    for (let round = 0; round < 2; round += 1) {
      await leave((signal) => complete(argument, '', signal));
    }
    expect(errorsLogged()).toEqual([]);
  });

  it('of completions counts with its last value', async () => {
    const response = await complete('tone', 'warm');
    expect(resultOf(response)['completion']).toMatchObject({ values: ['warm'] });
  });
});
