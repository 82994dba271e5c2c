import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { REVISIONS, type Revision } from '../support/legacy-client.js';
import { callLine, StdioServerProcess } from '../support/stdio-process.js';

const program = new URL('../fixtures/stdio-main.mjs', import.meta.url);
const running = new Set<StdioServerProcess>();

function start(legacy: string): StdioServerProcess {
  const server = new StdioServerProcess(program, { STDIO_LEGACY: legacy });
  running.add(server);
  return server;
}

afterEach(async () => {
  await Promise.all([...running].map((server) => server.kill()));
  running.clear();
});

const line = (id: string | number | undefined, method: string, params?: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const call = (id: number, name: string): string =>
  line(id, 'tools/call', { name, arguments: {}, _meta: { progressToken: id } });

/** Begins a session by hand. */
async function initialized(
  server: StdioServerProcess,
  protocolVersion: Revision = '2025-11-25',
): Promise<void> {
  server.send(
    line('begin', 'initialize', { protocolVersion, capabilities: { elicitation: {} } }),
    line(undefined, 'notifications/initialized'),
  );
  expect(await server.next()).toMatchObject({ id: 'begin', result: { protocolVersion } });
}

/** The official client, with a server that it starts itself. */
async function official(revision: Revision): Promise<Client> {
  const client = new Client(
    { name: 'earlier', version: '1.0.0' },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: 'legacy' },
      supportedProtocolVersions: [revision],
    },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(program)],
      env: { PATH: process.env['PATH'] ?? '', STDIO_LEGACY: 'sessions' },
      stderr: 'ignore',
    }),
  );
  return client;
}

describe('earlier revisions over stdio', () => {
  it.each(REVISIONS)('serves the official client of %s', async (revision) => {
    const client = await official(revision);
    try {
      expect(client.getServerVersion()).toEqual({ name: 'stdio', version: '1.0.0' });
      expect(await client.callTool({ name: 'echo', arguments: { text: 'a' } })).toEqual({
        content: [{ type: 'text', text: 'a' }],
      });
      const asked = client.callTool({ name: 'greet' });
      if (revision === '2025-03-26') await expect(asked).rejects.toThrow('elicitation');
      else expect(await asked).toMatchObject({ content: [{ text: 'Hello, Ada!' }] });
    } finally {
      await client.close();
    }
  });

  it.each(['stateless', 'sessions'])(
    'has a session in the connection, with %s too',
    async (mode) => {
      const server = start(mode);
      await initialized(server);
      server.send(call(1, 'greet'));
      const question = await server.next();
      expect(question).toMatchObject({
        method: 'elicitation/create',
        params: { message: 'Who are you?' },
      });
      const answer = { action: 'accept', content: { name: 'Ada' } };
      server.send(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: answer }));
      expect(await server.next()).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
      });
    },
  );

  it('tells of progress before the answer, and of changes', async () => {
    const server = start('sessions');
    await initialized(server);
    server.send(call(1, 'count'));
    for (const progress of [1, 2, 3]) {
      expect(await server.next()).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 1, progress },
      });
    }
    expect(await server.next()).toMatchObject({
      id: 1,
      result: { content: [{ text: 'counted' }] },
    });
    server.send(call(2, 'announce'));
    const told = [await server.next(), await server.next()];
    expect(told).toContainEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
  });

  it('stops what is cancelled, and answers it no more', async () => {
    const server = start('sessions');
    await initialized(server);
    server.send(call(1, 'stuck'));
    await server.logs('stuck');
    server.send(line(undefined, 'notifications/cancelled', { requestId: 1 }));
    await server.logs('aborted: AbortError');
    server.send(line(2, 'ping'));
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
  });

  it('answers each message of a list, where lists were part of the revision', async () => {
    const server = start('sessions');
    const list = `[${line(1, 'ping')},${line(2, 'ping')}]`;
    await initialized(server, '2025-03-26');
    server.send(list);
    expect([(await server.next()).id, (await server.next()).id]).toEqual([1, 2]);
    const newer = start('sessions');
    await initialized(newer);
    newer.send(list);
    expect(await newer.next()).toMatchObject({ error: { code: -32600 } });
  });

  it('wants initialize or the envelope', async () => {
    const server = start('sessions');
    server.send(line(1, 'ping'), line(2, 'tools/list'));
    expect(await server.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(await server.next()).toMatchObject({
      id: 2,
      error: { code: -32600, message: expect.stringContaining('Send initialize first') as string },
    });
  });

  it('serves requests of both eras on one connection', async () => {
    const server = start('sessions');
    await initialized(server);
    server.send(callLine(1, 'echo', { text: 'new' }));
    expect(await server.next()).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    server.send(line(2, 'tools/call', { name: 'echo', arguments: { text: 'old' } }));
    expect((await server.next()).result).toEqual({ content: [{ type: 'text', text: 'old' }] });
  });

  it('ends with its client, and what it was asked with it', async () => {
    const server = start('sessions');
    await initialized(server);
    server.send(call(1, 'greet'));
    expect(await server.next()).toMatchObject({ method: 'elicitation/create' });
    server.child.stdin.end();
    expect(await server.rest()).toMatchObject([
      { id: 1, error: { code: -32600, message: expect.stringContaining('has ended') as string } },
    ]);
    expect(await server.exit).toEqual([0, null]);
  });

  it('refuses initialize where it is off', async () => {
    const server = start('off');
    server.send(line(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }));
    expect(await server.next()).toMatchObject({ error: { code: -32022 } });
  });
});
