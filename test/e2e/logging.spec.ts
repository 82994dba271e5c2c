import { once } from 'node:events';
import { request } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import {
  McpArg,
  McpClientLog,
  McpContext,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  ENVELOPE,
  errorOf,
  eventsOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

const at = (level: string): { meta: Record<string, unknown> } => ({
  meta: { [LOG_LEVEL_META_KEY]: level },
});

const yes = { action: 'accept', content: { yes: true } };

/** A service that logs to whoever calls, and does not care whether anybody does. */
@Injectable()
class Ledger {
  constructor(private readonly log: McpClientLog) {}

  book(): boolean {
    return this.log.notice({ booked: 1 }, 'ledger');
  }
}

/** What the handlers leave for the spec. */
const left: { context?: McpToolContext; flood?: { sent: boolean[]; go: () => void } } = {};

@Injectable()
class Tools {
  private readonly logger = new Logger('Tools');

  constructor(private readonly ledger: Ledger) {}

  @McpTool({ description: 'Logs at three levels' })
  async work(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.log.debug('started');
    ctx.log.info({ step: 1 }, 'work');
    ctx.log.error(['failed', null]);
    this.logger.warn('for the server only');
    return 'done';
  }

  @McpTool({ description: 'Logs through a service' })
  ambient(): string {
    return String(this.ledger.book());
  }

  @McpTool({ description: 'Logs around two questions' })
  async ask(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.log.info('before');
    try {
      const first = ctx.elicit('First?', (form) => form.boolean('yes'));
      ctx.log.info('asked');
      await first;
      ctx.log.info('between');
      await ctx.elicit('Second?', (form) => form.boolean('yes'));
      ctx.log.info('after');
    } catch (error) {
      ctx.log.error(error);
      throw error;
    } finally {
      ctx.log.info('finally');
    }
    return 'done';
  }

  @McpTool({ description: 'Logs as each of two questions asked at once is answered' })
  async both(@McpContext() ctx: McpToolContext): Promise<string> {
    const ask = async (key: string): Promise<void> => {
      await ctx.elicit(`${key}?`, (form) => form.boolean('yes'), { key });
      ctx.log.info(key);
    };
    await Promise.all([ask('a'), ask('b')]);
    return 'done';
  }

  @McpTool({ description: 'Fails after a message' })
  fail(@McpContext() ctx: McpToolContext): never {
    ctx.log.error('about to fail');
    throw new Error('secret');
  }

  @McpTool({ description: 'Leaves its context behind' })
  leave(@McpContext() ctx: McpToolContext): string {
    left.context = ctx;
    return 'done';
  }

  @McpTool({ description: 'Logs until the client is too slow' })
  async flood(@McpContext() ctx: McpToolContext): Promise<string> {
    const sent: boolean[] = [];
    const block = 'x'.repeat(1_000_000);
    while (sent.length < 100 && sent.at(-1) !== false) {
      sent.push(ctx.log.info(block));
      await new Promise((resolve) => setImmediate(resolve));
    }
    left.flood?.sent.push(...sent);
    left.flood?.go();
    return 'done';
  }

  @McpPrompt({ description: 'Logs' })
  greet(@McpContext() ctx: McpPromptContext): string {
    ctx.log.warning('greeting');
    return 'Hello';
  }

  @McpResource({ uriTemplate: 'docs://{page}' })
  page(@McpArg('page') page: string, @McpContext() ctx: McpResourceContext): string {
    ctx.log.critical(page);
    return page;
  }
}

interface LogMessage {
  method: string;
  params: { level: string; logger?: string; data: unknown };
}

/** The log messages of an event stream. */
function logsOf(response: WireResponse): LogMessage['params'][] {
  return (eventsOf(response) as unknown as LogMessage[])
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => params);
}

/** What the messages said. */
function saidBy(response: WireResponse): unknown[] {
  return logsOf(response).map(({ data }) => data);
}

/** The answer that ends a stream, as if it had come alone. */
function answerOf(response: WireResponse): WireResponse {
  return { ...response, body: eventsOf(response).at(-1) ?? {} };
}

describe.each(adapters)('Logging to the client on %s', (_, adapter) => {
  let server: TestServer;
  let url: string;

  beforeAll(async () => {
    server = await startServer({
      adapter,
      providers: [Tools, Ledger],
      mcp: { http: { maxBufferedBytes: 100_000 } },
    });
    ({ url } = server);
  });
  afterAll(() => server.close());

  it('is announced by a server that has a handler', async () => {
    const { body } = await send(url, 'server/discover');
    expect(body.result).toMatchObject({ capabilities: { logging: {} } });
  });

  it('sends what is at the level of the request or above, before the answer', async () => {
    const response = await callTool(url, 'work', {}, {}, at('info'));
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(eventsOf(response)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', logger: 'work', data: { step: 1 } },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', data: ['failed', null] },
      },
      expect.objectContaining({ id: 1 }) as unknown,
    ]);
    expect(textOf(answerOf(response))).toBe('done');
  });

  it('answers with plain JSON when nothing is sent', async () => {
    for (const options of [{}, at('critical')]) {
      const response = await callTool(url, 'work', {}, {}, options);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(textOf(response)).toBe('done');
    }
  });

  it('keeps the server’s log to the server, and the client’s to the client', async () => {
    const before = server.logs.length;
    const response = await callTool(url, 'work', {}, {}, at('debug'));
    expect(saidBy(response)).toEqual(['started', { step: 1 }, ['failed', null]]);
    expect(server.logs.slice(before)).toEqual([
      { level: 'warn', text: expect.stringContaining('for the server only') as string },
    ]);
  });

  it('knows no request but its own', async () => {
    const [loud, quiet] = await Promise.all([
      callTool(url, 'work', {}, {}, at('debug')),
      callTool(url, 'work'),
    ]);
    expect(logsOf(loud)).toHaveLength(3);
    expect(logsOf(quiet)).toEqual([]);
  });

  it('is there for prompts, resources and services', async () => {
    const prompt = await send(url, 'prompts/get', { name: 'greet' }, at('debug'));
    expect(logsOf(prompt)).toEqual([{ level: 'warning', data: 'greeting' }]);
    const resource = await send(url, 'resources/read', { uri: 'docs://a' }, at('debug'));
    expect(logsOf(resource)).toEqual([{ level: 'critical', data: 'a' }]);
    const service = await callTool(url, 'ambient', {}, {}, at('debug'));
    expect(logsOf(service)).toEqual([{ level: 'notice', logger: 'ledger', data: { booked: 1 } }]);
    expect(textOf(answerOf(service))).toBe('true');
  });

  it('costs a service nothing where nobody listens', async () => {
    expect(textOf(await callTool(url, 'ambient'))).toBe('false');
    expect(server.app.get(Ledger).book()).toBe(false);
  });

  it('says each thing once, whatever rounds a conversation takes', async () => {
    const first = await callTool(url, 'ask', {}, {}, at('debug'));
    expect(saidBy(first)).toEqual(['before']);
    const second = await callTool(
      url,
      'ask',
      {},
      { requestState: stateOf(answerOf(first)), inputResponses: { 'elicit-1': yes } },
      at('debug'),
    );
    expect(saidBy(second)).toEqual(['asked', 'between']);
    const third = await callTool(
      url,
      'ask',
      {},
      { requestState: stateOf(answerOf(second)), inputResponses: { 'elicit-2': yes } },
      at('debug'),
    );
    expect(saidBy(third)).toEqual(['after', 'finally']);
  });

  it('says each thing once when questions are answered one by one', async () => {
    const first = await callTool(url, 'both', {}, {}, at('debug'));
    const second = await callTool(
      url,
      'both',
      {},
      { requestState: stateOf(first), inputResponses: { a: yes } },
      at('debug'),
    );
    expect(logsOf(second)).toEqual([]);
    const third = await callTool(
      url,
      'both',
      {},
      { requestState: stateOf(second), inputResponses: { b: yes } },
      at('debug'),
    );
    expect(saidBy(third).toSorted()).toEqual(['a', 'b']);
  });

  it('is decided by each request for itself', async () => {
    const first = await callTool(url, 'ask');
    const second = await callTool(
      url,
      'ask',
      {},
      { requestState: stateOf(first), inputResponses: { 'elicit-1': yes } },
      at('info'),
    );
    expect(saidBy(second)).toEqual(['asked', 'between']);
  });

  it('does not stand in the way of an error', async () => {
    const response = await callTool(url, 'fail', {}, {}, at('debug'));
    expect(saidBy(response)).toEqual(['about to fail']);
    expect(answerOf(response).body.result).toMatchObject({ isError: true });
    expect(response.text).not.toContain('secret');
  });

  it('is over when the call is', async () => {
    await callTool(url, 'leave', {}, {}, at('debug'));
    expect(left.context?.log.isEnabled('emergency')).toBe(false);
    expect(left.context?.log.emergency('late')).toBe(false);
  });

  it.each(['loud', 'DEBUG', '', 3, null, ['debug']])(
    'refuses the level %j before anything runs',
    async (level) => {
      const response = await callTool(
        url,
        'work',
        {},
        {},
        { meta: { [LOG_LEVEL_META_KEY]: level } },
      );
      expect(response.status).toBe(400);
      expect(errorOf(response)).toMatchObject({
        code: -32602,
        message: expect.stringContaining('one of debug, info, notice, warning') as string,
      });
    },
  );

  it('leaves messages out for a client that does not read, and tells the handler', async () => {
    const sent: boolean[] = [];
    const flooded = new Promise<void>((go) => (left.flood = { sent, go }));
    const call = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'flood',
      },
    });
    call.on('error', () => undefined);
    call.end(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'flood',
          arguments: {},
          _meta: { ...ENVELOPE, [LOG_LEVEL_META_KEY]: 'info' },
        },
      }),
    );
    // The response is there, and nobody reads it.
    await once(call, 'response');
    await flooded;
    call.destroy();
    expect(sent[0]).toBe(true);
    expect(sent.at(-1)).toBe(false);
  });

  it('reaches the official client, which asks by request', async () => {
    const client = await connect(url, { answer: () => ({ ...yes, action: 'accept' }) });
    const seen: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      seen.push([params.level, params.logger, params.data]);
    });
    expect(client.getServerCapabilities()).toMatchObject({ logging: {} });
    await client.callTool({ name: 'work', arguments: {} });
    expect(seen).toEqual([]);
    await client.callTool({
      name: 'work',
      arguments: {},
      _meta: { [LOG_LEVEL_META_KEY]: 'info' },
    });
    expect(seen).toEqual([
      ['info', 'work', { step: 1 }],
      ['error', undefined, ['failed', null]],
    ]);
    seen.length = 0;
    await client.callTool({ name: 'ask', arguments: {}, _meta: { [LOG_LEVEL_META_KEY]: 'info' } });
    expect(seen.map((message) => (message as unknown[])[2])).toEqual([
      'before',
      'asked',
      'between',
      'after',
      'finally',
    ]);
    await client.close();
  });
});
