import { once } from 'node:events';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import {
  McpContext,
  McpConversationGuard,
  McpObserver,
  McpPrompt,
  McpPromptContext,
  McpTool,
  McpToolContext,
  McpToolException,
  type ReplayEvent,
  type RoundClaim,
} from '@dacapo/mcp';
import { type Observable, retry } from 'rxjs';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  errorOf,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

const done: string[] = [];
const events: ReplayEvent[] = [];
/** Held until the test lets go of it. */
let gate: Promise<void> | undefined;
let entered: () => void = () => undefined;
/** Tells that a round has failed. */
let failed: () => void = () => undefined;

@Injectable()
class Events extends McpObserver {
  override observe(event: ReplayEvent): void {
    events.push(event);
    if (event.type === 'round.failed') failed();
  }
}

@Injectable()
class TriesAgain implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(retry(1));
  }
}

@Injectable()
class Bank {
  @McpTool({ description: 'Pays', once: true })
  async pay(@McpContext() ctx: McpToolContext): Promise<object> {
    const { amount } = await ctx.ask('How much?', (form) => form.integer('amount'));
    if (!(await ctx.confirm(`Pay ${amount}?`))) return { paid: 0 };
    entered();
    await gate;
    done.push(`paid ${amount}`);
    if (amount === 13) throw new McpToolException('The account is empty');
    if (amount === 14) throw new Error('a bug');
    return { paid: amount, receipt: done.length };
  }

  @McpTool({ description: 'Is tried again', once: true })
  @UseInterceptors(TriesAgain)
  async flaky(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    done.push('tried');
    throw new McpToolException('The account is empty');
  }

  @McpPrompt({ description: 'Counts', once: true })
  async count(@McpContext() ctx: McpPromptContext): Promise<string> {
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    done.push('counted');
    return `${done.length}`;
  }

  @McpTool({ description: 'Stops when it is told to', once: true })
  async obedient(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    const { signal } = ctx;
    const told = once(signal, 'abort');
    entered();
    await told;
    throw signal.reason;
  }

  @McpTool({ description: 'May be played again' })
  async again(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    done.push('again');
    return `${done.length}`;
  }
}

/** A guard that two instances share, as they would share a database. */
class SharedGuard extends McpConversationGuard {
  readonly rounds = new Map<string, { digest: string; result?: string }>();
  fails: 'claim' | 'record' | undefined;

  override async claim(key: string, digest: string): Promise<RoundClaim> {
    if (this.fails === 'claim') throw new Error('connection to 10.0.0.7 refused');
    const known = this.rounds.get(key);
    if (known !== undefined) return { type: 'consumed', ...known };
    this.rounds.set(key, { digest });
    return { type: 'claimed' };
  }

  override async record(key: string, result: string): Promise<void> {
    if (this.fails === 'record') throw new Error('connection to 10.0.0.7 refused');
    const known = this.rounds.get(key);
    if (known !== undefined) known.result = result;
  }
}

const yes = (content: object): object => ({ action: 'accept', content });

describe.each(adapters)('A tool that is played once on %s', (_, adapter) => {
  let server: TestServer;
  let other: TestServer;
  let guard: SharedGuard;

  beforeAll(async () => {
    guard = new SharedGuard();
    const options = {
      adapter,
      providers: [Bank],
      mcp: {
        conversationGuard: { useFactory: () => guard },
        observer: { useClass: Events },
      },
    };
    other = await startServer(options);
    // Nest's log is that of the last application.
    server = await startServer(options);
  });
  afterAll(async () => {
    await server.close();
    await other.close();
  });
  beforeEach(() => {
    done.length = 0;
    events.length = 0;
    server.logs.length = 0;
    gate = undefined;
    delete guard.fails;
  });

  const amountOf = (amount: number): Record<string, object> => ({ 'elicit-1': yes({ amount }) });
  const CONFIRMED = { 'elicit-2': yes({ confirmed: true }) };
  const go = (
    where: TestServer,
    before: WireResponse,
    inputResponses: Record<string, object>,
  ): Promise<WireResponse> =>
    callTool(where.url, 'pay', {}, { requestState: stateOf(before), inputResponses });
  /** Until the last question has been asked. */
  const asked = async (amount = 5): Promise<WireResponse> =>
    go(server, await callTool(server.url, 'pay'), amountOf(amount));

  it('answers a duplicate of its final round with what it has answered, on any instance', async () => {
    const last = await asked();
    const first = await go(server, last, CONFIRMED);
    expect(resultOf(first).structuredContent).toEqual({ paid: 5, receipt: 1 });
    for (const where of [server, other]) {
      const { result } = (await go(where, last, CONFIRMED)).body;
      expect(result).toEqual(first.body.result);
    }
    expect(done).toEqual(['paid 5']);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['round.repeated', 'round.repeated']);
  });

  it('answers a duplicate of another round with its questions', async () => {
    const opened = await callTool(server.url, 'pay');
    const first = await go(server, opened, amountOf(5));
    const second = await go(other, opened, amountOf(5));
    expect(second.body.result).toEqual(first.body.result);
    expect(resultOf(await go(server, second, CONFIRMED)).structuredContent).toEqual({
      paid: 5,
      receipt: 1,
    });
    expect(done).toEqual(['paid 5']);
  });

  it('refuses a token that was used with other answers', async () => {
    const opened = await callTool(server.url, 'pay');
    await go(server, opened, amountOf(5));
    const { status, body } = await go(other, opened, amountOf(1_000));
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: -32602,
      message: expect.stringMatching(/used before, with other answers\. Go on from/) as string,
      data: { reason: 'state_consumed' },
    });
    expect(events.at(-1)).toMatchObject({
      type: 'round.rejected',
      reason: 'state_consumed',
      round: 2,
    });
  });

  it('refuses a duplicate of a round that is being played, and answers it afterwards', async () => {
    const last = await asked();
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const playing = new Promise<void>((resolve) => (entered = resolve));
    const first = go(server, last, CONFIRMED);
    await playing;
    const early = errorOf(await go(other, last, CONFIRMED));
    expect(early.data).toEqual({ reason: 'state_consumed' });
    expect(early.message).toMatch(/may still be played\. Repeat the same call in a moment/);
    open();
    const { result } = (await first).body;
    expect((await go(other, last, CONFIRMED)).body.result).toEqual(result);
    expect(done).toEqual(['paid 5']);
  });

  it.each([
    [13, 'The account is empty'],
    [14, 'The tool failed unexpectedly. The details are in the log of the server.'],
  ])('answers a duplicate of a round that failed with the failure: %d', async (amount, text) => {
    const last = await asked(amount);
    const first = await go(server, last, CONFIRMED);
    expect(resultOf(first).isError).toBe(true);
    expect(textOf(first)).toBe(text);
    expect((await go(server, last, CONFIRMED)).body.result).toEqual(first.body.result);
    expect(done).toHaveLength(1);
  });

  it('plays nothing while the guard fails, and leaks nothing of why', async () => {
    const last = await asked();
    guard.fails = 'claim';
    const { text } = await go(server, last, CONFIRMED);
    expect(text).toMatch(/failed unexpectedly/);
    expect(text).not.toContain('10.0.0.7');
    expect(done).toEqual([]);
    expect(server.logs.filter(({ level }) => level === 'error')).toHaveLength(1);
    delete guard.fails;
    expect(resultOf(await go(server, last, CONFIRMED)).isError).toBeUndefined();
  });

  it('answers even when the guard cannot record the answer, and is not played again', async () => {
    const last = await asked();
    guard.fails = 'record';
    expect(resultOf(await go(server, last, CONFIRMED)).structuredContent).toMatchObject({
      paid: 5,
    });
    expect(server.logs.map(({ text }) => text)).toEqual([
      expect.stringContaining('connection to 10.0.0.7 refused'),
    ]);
    expect(errorOf(await go(server, last, CONFIRMED)).data).toEqual({ reason: 'state_consumed' });
    expect(done).toEqual(['paid 5']);
  });

  it('may be a prompt', async () => {
    const opened = await send(server.url, 'prompts/get', { name: 'count' });
    const again = (): Promise<WireResponse> =>
      send(other.url, 'prompts/get', {
        name: 'count',
        requestState: stateOf(opened),
        inputResponses: { 'elicit-1': yes({ yes: true }) },
      });
    const { result } = (await again()).body;
    expect((await again()).body.result).toEqual(result);
    expect(done).toEqual(['counted']);
  });

  it('answers a duplicate of a prompt that has ended with an error with that error', async () => {
    const opened = await send(server.url, 'prompts/get', { name: 'count' });
    const again = (where: TestServer): Promise<WireResponse> =>
      send(where.url, 'prompts/get', {
        name: 'count',
        requestState: stateOf(opened),
        inputResponses: { 'elicit-1': { action: 'decline' } },
      });
    const first = await again(server);
    expect(errorOf(first)).toEqual({
      code: 422,
      message: 'The user declined: "Go on?".',
      data: { action: 'decline' },
    });
    const second = await again(other);
    expect(second.status).toBe(first.status);
    expect(second.body).toEqual(first.body);
    expect(events.at(-1)?.type).toBe('round.repeated');
  });

  it('fails with its own error when an interceptor has tried again in vain', async () => {
    const opened = await callTool(server.url, 'flaky');
    const rest = {
      requestState: stateOf(opened),
      inputResponses: { 'elicit-1': yes({ yes: true }) },
    };
    const first = await callTool(server.url, 'flaky', {}, rest);
    expect(textOf(first)).toBe('The account is empty');
    expect((await callTool(other.url, 'flaky', {}, rest)).body).toEqual(first.body);
    expect(done).toEqual(['tried', 'tried']);
  });

  it('says of a round that was taken back that nobody knows how far it came', async () => {
    const opened = await callTool(server.url, 'obedient');
    const rest = {
      requestState: stateOf(opened),
      inputResponses: { 'elicit-1': yes({ yes: true }) },
    };
    const playing = new Promise<void>((resolve) => (entered = resolve));
    const ended = new Promise<void>((resolve) => (failed = resolve));
    const client = new AbortController();
    const first = callTool(server.url, 'obedient', {}, rest, { signal: client.signal });
    await playing;
    client.abort();
    await expect(first).rejects.toThrow('aborted');
    await ended;
    const error = errorOf(await callTool(server.url, 'obedient', {}, rest));
    expect(error.data).toEqual({ reason: 'state_consumed' });
    expect(error.message).toMatch(/look up what it has done before you start anew/);
  });

  it('is another than one that does not say so', async () => {
    const opened = await callTool(server.url, 'again');
    const rest = {
      requestState: stateOf(opened),
      inputResponses: { 'elicit-1': yes({ yes: true }) },
    };
    await callTool(server.url, 'again', {}, rest);
    expect(textOf(await callTool(server.url, 'again', {}, rest))).toBe('2');
  });
});

describe('A tool that is played once without a guard of the application', () => {
  it('is remembered within the process, and the log says so once', async () => {
    done.length = 0;
    const server = await startServer({ providers: [Bank] });
    const warnings = server.logs.filter(({ level }) => level === 'warn').map(({ text }) => text);
    expect(warnings).toEqual([
      expect.stringMatching(/^Bank\.pay .+ Give McpModule\.forRoot\(\) a conversationGuard/),
    ]);
    const opened = await callTool(server.url, 'pay');
    const rest = {
      requestState: stateOf(opened),
      inputResponses: { 'elicit-1': { action: 'decline' } },
    };
    const first = await callTool(server.url, 'pay', {}, rest);
    expect((await callTool(server.url, 'pay', {}, rest)).body.result).toEqual(first.body.result);
    await server.close();
  });
});
