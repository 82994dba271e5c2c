import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import {
  callLine,
  requestLine,
  type StdioMessage,
  StdioServerProcess,
} from '../support/stdio-process.js';
import { SECRET } from '../support/test-server.js';
import { send } from '../support/wire.js';

const program = new URL('../fixtures/stdio-main.mjs', import.meta.url);
const demo = new URL('../../apps/onboarding/dist/stdio.js', import.meta.url);

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

const running = new Set<StdioServerProcess>();
const clients = new Set<Client>();

function start(options: object = {}, env: Record<string, string> = {}): StdioServerProcess {
  const server = new StdioServerProcess(program, {
    STDIO_OPTIONS: JSON.stringify(options),
    ...env,
  });
  running.add(server);
  return server;
}

function cancelLine(requestId: string | number, reason?: string): string {
  const params = { requestId, reason };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

function listenLine(id: string | number): string {
  return requestLine(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
}

const textOf = ({ result }: StdioMessage): string | undefined => result?.content?.[0]?.text;

afterEach(async () => {
  await Promise.all([...clients].map((client) => client.close()));
  await Promise.all([...running].map((server) => server.kill()));
  clients.clear();
  running.clear();
});

/** The official client, with a server that it starts itself. */
async function official(
  url: URL,
  env: Record<string, string>,
  answers: Record<string, ElicitResult['content']> = {},
): Promise<{ client: Client; transport: StdioClientTransport }> {
  const client = new Client(
    { name: 'official', version: '2.4.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const content = Object.entries(answers).find(([words]) => params.message.includes(words))?.[1];
    return content === undefined ? { action: 'cancel' } : { action: 'accept', content };
  });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(url)],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'ignore',
  });
  const failures: Error[] = [];
  client.onerror = (error) => failures.push(error);
  clients.add(client);
  await client.connect(transport);
  expect(failures).toEqual([]);
  return { client, transport };
}

describe('The official client over stdio', () => {
  it('lists, calls, and is asked', async () => {
    const { client } = await official(program, {}, { 'Who are you?': { name: 'Ada' } });
    expect(client.getServerVersion()).toMatchObject({ name: 'stdio' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('greet');
    await expect(client.callTool({ name: 'greet' })).resolves.toMatchObject({
      content: [{ type: 'text', text: 'Hello, Ada!' }],
    });
  });

  it('is not disturbed by what a handler says', async () => {
    const { client } = await official(program, {});
    const failures: Error[] = [];
    client.onerror = (error) => failures.push(error);
    await expect(client.callTool({ name: 'chatter' })).resolves.toMatchObject({
      content: [{ text: 'quiet' }],
    });
    expect(failures).toEqual([]);
  });

  it('opens an account with the demo, as the local user', async () => {
    const { client } = await official(
      demo,
      { ONBOARDING_USER: 'ada@example.com' },
      { 'e-mail': { email: 'ada@example.com' }, 'Which plan': { plan: 'team', yearly: false } },
    );
    await client.callTool({ name: 'openAccount', arguments: { holder: 'Engines', seats: 3 } });
    await expect(client.callTool({ name: 'listAccounts' })).resolves.toMatchObject({
      structuredContent: { accounts: [{ holder: 'Engines', email: 'ada@example.com' }] },
    });
  });
});

describe('A server over stdio', () => {
  it('writes nothing to stdout but the protocol; the rest is on stderr', async () => {
    const server = start();
    server.send(callLine(1, 'chatter'));
    expect(textOf(await server.next())).toBe('quiet');
    server.child.stdin.end();
    expect(await server.rest()).toEqual([]);
    expect(await server.exit).toEqual([0, null]);
    for (const text of [
      'said while the module is loaded',
      'Starting Nest application',
      '"result":"forged"',
      'information',
      'written',
      'ended',
    ]) {
      expect(server.log).toContain(text);
    }
  });

  it('answers what it cannot read, and reads on', async () => {
    const server = start({ maxLineBytes: 1_000 });
    const discover = requestLine('ok', 'server/discover');
    server.send('{"jsonrpc":');
    expect((await server.next()).error?.code).toBe(-32700);
    server.child.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    expect((await server.next()).error).toEqual({
      code: -32700,
      message: 'The message is not valid JSON: it is not UTF-8.',
    });
    server.send(`[${discover}]`);
    expect((await server.next()).error?.code).toBe(-32600);
    server.send('', '\r', '  ', '{"jsonrpc":"2.0","id":"ok","result":{}}', `${discover}\r`);
    expect(await server.next()).toMatchObject({ id: 'ok', result: {} });
    // Not even a newline is needed for the answer; what follows is skipped up to it.
    server.child.stdin.write('x'.repeat(1_001));
    expect((await server.next()).error?.message).toBe(
      'The line is longer than 1000 bytes. Send less, or raise stdio.maxLineBytes.',
    );
    for (let chunk = 0; chunk < 100; chunk += 1) server.child.stdin.write('x'.repeat(65_536));
    server.send('', discover);
    expect(await server.next()).toMatchObject({ id: 'ok', result: {} });
  });

  it('reads characters that are split over chunks', async () => {
    const server = start();
    const line = Buffer.from(`${callLine(1, 'echo', { text: 'größer 🎼' })}\n`);
    const cut = line.indexOf(0xc3) + 1;
    server.child.stdin.write(line.subarray(0, cut));
    await server.logs('Found 9 tools');
    server.child.stdin.write(line.subarray(cut));
    expect(textOf(await server.next())).toBe('größer 🎼');
  });

  it('names its revision to a client of an earlier one', async () => {
    const server = start();
    server.send(
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}',
    );
    expect(await server.next()).toMatchObject({
      id: 0,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    });
  });

  it('stops a cancelled call, and says nothing more of it', async () => {
    const server = start();
    server.send(callLine(1, 'stuck'));
    await server.logs('stuck');
    server.send(cancelLine(1, 'changed my mind'));
    await server.logs('aborted: AbortError: The client cancelled the request: "changed my mind"');
    server.send(cancelLine(1), cancelLine(2), callLine(1, 'echo', { text: 'again' }));
    expect(await server.next()).toMatchObject({ id: 1, result: { content: [{ text: 'again' }] } });
    server.child.stdin.end();
    expect(await server.rest()).toEqual([]);
  });

  it('refuses a second request with an id in flight, and the first goes on', async () => {
    const server = start();
    server.send(callLine(1, 'patient'), callLine(1, 'echo', { text: 'x' }));
    const refusal = await server.next();
    expect(refusal.error).toMatchObject({ code: -32600, data: { requestId: 1 } });
    expect(refusal).not.toHaveProperty('id');
    server.child.stdin.end();
    const [answer, ...others] = await server.rest();
    expect(answer).toMatchObject({ id: 1, result: { content: [{ text: 'after the end' }] } });
    expect(others).toEqual([]);
  });

  it('keeps the handlers of one client to a number', async () => {
    const server = start({ maxInFlight: 1 });
    server.send(callLine(1, 'patient'), callLine(2, 'echo', { text: 'x' }));
    expect(await server.next()).toMatchObject({ id: 2, error: { code: 503 } });
  });

  it('sends progress before its answer', async () => {
    const server = start();
    server.send(callLine(1, 'count', {}, { progressToken: 'p' }));
    for (const progress of [1, 2, 3]) {
      expect(await server.next()).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'p', progress },
      });
    }
    expect(await server.next()).toMatchObject({ id: 1 });
  });
});

describe('The end of a server over stdio', () => {
  it('comes with the end of its client: calls are answered, then the application closes', async () => {
    const server = start();
    server.send(callLine(1, 'patient'), callLine(2, 'echo', { text: 'first' }));
    // The last line has no newline.
    server.child.stdin.end(callLine(3, 'echo', { text: 'last' }));
    const texts = (await server.rest()).map(textOf);
    expect(texts.sort()).toEqual(['after the end', 'first', 'last']);
    expect(await server.exit).toEqual([0, null]);
    expect(server.log).toContain('tools destroyed\nshut down: undefined\n');
  });

  it('does not wait longer than it may', async () => {
    const server = start({ graceMs: 0 });
    server.send(callLine(1, 'stuck'));
    await server.logs('stuck');
    server.child.stdin.end();
    expect(await server.rest()).toEqual([]);
    expect(await server.exit).toEqual([0, null]);
    expect(server.log).toContain('aborted: AbortError: The server is shutting down.');
  });

  it('does not depend on what the application leaves running', async () => {
    const server = start({ graceMs: 0 }, { LEFTOVER: 'yes' });
    server.send(callLine(1, 'deaf'));
    await server.logs('deaf');
    server.child.stdin.end();
    expect(await server.exit).toEqual([0, null]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('comes with %s', async (signal) => {
    const server = start();
    server.send(listenLine('s'), callLine(1, 'stuck'));
    expect(await server.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
    });
    await server.logs('stuck');
    server.child.kill(signal);
    // A second one ends the wait for calls; signals of one kind are merged, so another is sent.
    server.child.kill(signal === 'SIGTERM' ? 'SIGINT' : 'SIGTERM');
    expect(await server.rest()).toMatchObject([{ id: 's', result: { resultType: 'complete' } }]);
    expect(await server.exit).toEqual([0, null]);
    expect(server.log).toContain('aborted: AbortError: The server is shutting down.');
    expect(server.log).toMatch(/shut down: SIG(TERM|INT)\n/);
  });

  it('comes when nobody reads any more', async () => {
    const server = start();
    server.send(callLine(1, 'stuck'));
    await server.logs('stuck');
    server.child.stdout.destroy();
    server.send('x');
    await server.logs('aborted: AbortError: The client has gone away.');
    expect(await server.exit).toEqual([0, null]);
  });

  it('comes when its client has gone altogether, and a log nobody reads does not matter', async () => {
    const server = start();
    server.send(callLine(1, 'echo', { text: 'x' }));
    await server.next();
    server.child.stderr?.destroy();
    server.child.stdout.destroy();
    server.child.stdin.end(`${callLine(2, 'chatter')}\n${callLine(3, 'chatter')}\n`);
    expect(await server.exit).toEqual([0, null]);
  });
});

describe('A client over stdio that has closed its side and not read its answers', () => {
  /** More waits than may, and one request behind that; the client has said all it wants. */
  async function congest(options: object): Promise<StdioServerProcess> {
    const server = start(options);
    server.pause();
    // In one piece, so that all are read before anything waits.
    server.send(
      [1, 2, 3].map((id) => callLine(id, 'big')).join('\n') + `\n${callLine(4, 'announce')}`,
    );
    await server.logs('announced');
    server.child.stdin.end(callLine(5, 'echo', { text: 'last' }));
    return server;
  }

  it('ends the process all the same', async () => {
    const server = await congest({ graceMs: 50 });
    expect(await once(server.child, 'exit')).toEqual([0, null]);
    expect(server.log).toContain('tools destroyed\nshut down: undefined\n');
  });

  it('is answered everything when it reads on', async () => {
    const server = await congest({});
    server.resume();
    const messages = await server.rest();
    expect(messages.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
    expect(await server.exit).toEqual([0, null]);
  });
});

describe('Subscriptions over stdio', () => {
  it('share the channel, each with its own id, and end one by one', async () => {
    const server = start();
    server.send(listenLine('a'), listenLine(7));
    for (const id of ['a', 7]) {
      expect(await server.next()).toMatchObject({
        method: 'notifications/subscriptions/acknowledged',
        params: { _meta: { [SUBSCRIPTION]: id }, notifications: { toolsListChanged: true } },
      });
    }
    server.send(cancelLine('a'), callLine(1, 'announce'));
    const messages = [await server.next(), await server.next()];
    expect(messages).toContainEqual(
      expect.objectContaining({
        method: 'notifications/tools/list_changed',
        params: { _meta: { [SUBSCRIPTION]: 7 } },
      }),
    );
    expect(messages).toContainEqual(expect.objectContaining({ id: 1 }));
    server.child.stdin.end();
    expect(await server.rest()).toMatchObject([
      { id: 7, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: 7 } } },
    ]);
    expect(await server.exit).toEqual([0, null]);
  });

  it('are dropped when their client does not read, and it is told', async () => {
    const server = start({ maxBufferedBytes: 1 });
    server.send(listenLine('s'));
    await server.next();
    server.pause();
    // In one piece, so that both are read before anything waits.
    server.send(`${callLine(1, 'big')}\n${callLine(2, 'announce')}`);
    await server.logs('announced');
    server.resume();
    server.child.stdin.end();
    const messages = await server.rest();
    expect(messages.map(({ id, method }) => id ?? method)).toEqual([
      1,
      'notifications/cancelled',
      2,
    ]);
    expect(messages[1]?.params).toEqual({ _meta: { [SUBSCRIPTION]: 's' }, requestId: 's' });
  });

  it('are those of the official client, to their graceful end', async () => {
    const { client, transport } = await official(program, {});
    const subscription = await client.listen({ toolsListChanged: true });
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    await client.callTool({ name: 'announce' });
    await heard;
    process.kill(transport.pid ?? 0, 'SIGTERM');
    expect(await subscription.closed).toBe('graceful');
  });
});

describe.each(adapters)('A server without http on %s', (_, adapter) => {
  it('has no endpoint', async () => {
    @Module({
      imports: [
        McpModule.forRoot({
          server: { name: 'local', version: '1.0.0' },
          replay: { secret: SECRET },
          transports: ['stdio'],
        }),
      ],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const { status, body } = await send(`${await app.getUrl()}/mcp`, 'server/discover');
    expect(status).toBe(404);
    expect(body).not.toHaveProperty('jsonrpc');
    await app.close();
  });
});
