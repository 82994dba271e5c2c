import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Injectable } from '@nestjs/common';
import {
  McpContext,
  type McpLegacyMode,
  McpModule,
  type McpModuleOptions,
  McpResource,
  McpServer,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import {
  endSession,
  initialize,
  notifyLegacy,
  openSession,
  postLegacy,
  sendLegacy,
  standLegacy,
} from '../support/legacy-wire.js';
import { SECRET, startServer, type TestServer } from '../support/test-server.js';
import { errorOf, eventsOf, resultOf, send, textOf } from '../support/wire.js';

@Injectable()
@McpServer('default', 'admin')
class SharedTools {
  @McpTool({ description: 'Is everywhere' })
  shared(): string {
    return 'shared';
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Greets' })
  hello(): string {
    return 'hello';
  }

  @McpTool({ description: 'Asks' })
  async ask(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('Sure?', (form) => form.boolean('sure'))).action;
  }

  @McpTool({ description: 'Logs, and tells how far it is' })
  talk(@McpContext() ctx: McpToolContext): string {
    ctx.log.error('hello');
    ctx.countingProgress(2).next();
    return 'said';
  }

  @McpResource({ uri: 'docs://a' })
  doc(): string {
    return 'text';
  }
}

describe.each(adapters)('clients of several eras on %s', (_, adapter) => {
  const servers: TestServer[] = [];
  const start = async (
    mcp: Partial<McpModuleOptions>,
    rest: Partial<Parameters<typeof startServer>[0]> = {},
  ): Promise<TestServer> => {
    const server = await startServer({ adapter, providers: [Tools], mcp, ...rest });
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  describe('without any of the earlier ones', () => {
    it('names the supported versions to one that opens with initialize', async () => {
      const { url } = await start({});
      const answer = await initialize(url);
      expect(answer.status).toBe(400);
      expect(errorOf(answer)).toMatchObject({
        code: -32022,
        data: { supported: ['2026-07-28'], requested: '2025-11-25' },
      });
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    });

    it.each(['GET', 'DELETE', 'PUT'])('does not take %s', async (method) => {
      const { url } = await start({});
      const answer = await fetch(url, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    });

    it('loads nothing of what would serve them', async () => {
      const loaded = async (legacy: string): Promise<unknown> => {
        const program = fileURLToPath(new URL('../fixtures/loaded-modules.mjs', import.meta.url));
        const { stdout } = await promisify(execFile)(process.execPath, [program, legacy]);
        return JSON.parse(stdout);
      };
      expect(await loaded('off')).toEqual([]);
      expect(await loaded('sessions')).toEqual(
        expect.arrayContaining([expect.stringContaining('transports/legacy/legacy.session.js')]),
      );
    });
  });

  describe('in sessions', () => {
    it('takes initialize in the envelope of this revision for a method there is not', async () => {
      const { url } = await start({ legacy: 'sessions' });
      const answer = await send(url, 'initialize', { protocolVersion: '2025-11-25' });
      expect(answer.status).toBe(404);
      expect(errorOf(answer).code).toBe(-32601);
      expect(answer.headers.get('mcp-session-id')).toBeNull();
    });

    it('serves a client of this revision that has a session, too, without it', async () => {
      const { url } = await start({ legacy: 'sessions' });
      const session = await openSession(url);
      const headers = { 'mcp-session-id': session };
      await endSession(url, session);
      const answer = await send(url, 'tools/call', { name: 'hello' }, { headers });
      expect(resultOf(answer)).toMatchObject({ resultType: 'complete' });
    });

    it('names what it takes', async () => {
      const { url } = await start({ legacy: 'sessions' });
      for (const method of ['PUT', 'PATCH']) {
        const answer = await fetch(url, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toBe('GET, POST, DELETE');
      }
    });

    it('goes by the revision of the header where a request has no envelope', async () => {
      const { url } = await start({ legacy: 'sessions' });
      const session = await openSession(url);
      const current = { 'mcp-protocol-version': '2026-07-28' };
      const answer = await sendLegacy(url, 'ping', {}, { session, headers: current });
      expect(answer.status).toBe(400);
      expect(answer.body.result).toBeUndefined();
      const earlier = { 'mcp-protocol-version': '2025-11-25' };
      const { status } = await sendLegacy(url, 'ping', {}, { session, headers: earlier });
      expect(status).toBe(200);
    });

    it('negotiates a revision it does not know down to the newest of the earlier ones', async () => {
      const { url } = await start({ legacy: 'sessions' });
      for (const protocolVersion of ['2024-11-05', '2099-01-01', 7, undefined]) {
        const answer = await sendLegacy(url, 'initialize', { protocolVersion, capabilities: {} });
        expect(resultOf(answer)['protocolVersion']).toBe('2025-11-25');
      }
    });

    it('answers with the application’s CORS headers, on plain answers and streams', async () => {
      const origin = 'https://app.example.com';
      const { url } = await start(
        { legacy: 'sessions', http: { allowedOrigins: [origin] } },
        {
          configure: (app) =>
            app.enableCors({
              origin,
              methods: ['GET', 'POST', 'DELETE'],
              exposedHeaders: ['Mcp-Session-Id'],
            }),
        },
      );
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'DELETE' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
      const session = await openSession(url, { headers: { origin } });
      const headers = { origin, 'mcp-session-id': session };
      const answers = [
        await initialize(url, { headers: { origin } }).then((answer) => answer.headers),
        (await fetch(url, { headers: { ...headers, 'last-event-id': 'nonsense' } })).headers,
        await fetch(url, { headers }).then(async (stream) => {
          await stream.body?.cancel();
          return stream.headers;
        }),
        (await endSession(url, session, { origin })).headers,
        (await endSession(url, session, { origin })).headers,
      ];
      for (const each of answers) {
        expect(each.get('access-control-allow-origin')).toBe(origin);
        expect(each.get('access-control-expose-headers')).toBe('Mcp-Session-Id');
      }
    });
  });

  describe('without keeping anything of them', () => {
    it('serves any request on any instance', async () => {
      const [one, other] = [
        await start({ legacy: 'stateless' }),
        await start({ legacy: 'stateless' }),
      ];
      const begun = await initialize(one.url, { revision: '2025-06-18' });
      expect(resultOf(begun)).toMatchObject({
        protocolVersion: '2025-06-18',
        serverInfo: { name: 'test' },
      });
      expect(begun.headers.get('mcp-session-id')).toBeNull();
      for (const { url } of [one, other]) {
        const headers = { 'mcp-protocol-version': '2025-06-18' };
        const ready = await notifyLegacy(url, 'notifications/initialized', {}, { headers });
        expect([ready.status, ready.text]).toEqual([202, '']);
        const list = resultOf(await sendLegacy(url, 'tools/list', {}, { headers }));
        expect(list).toMatchObject({
          tools: [{ name: 'hello' }, { name: 'ask' }, { name: 'talk' }],
        });
        expect(list).not.toHaveProperty('resultType');
        const call = await sendLegacy(url, 'tools/call', { name: 'hello' }, { headers });
        expect(textOf(call)).toBe('hello');
        expect(resultOf(await sendLegacy(url, 'ping', {}, { headers }))).toEqual({});
      }
    });

    it('does not look at the id of a session', async () => {
      const { url } = await start({ legacy: 'stateless' });
      const answer = await sendLegacy(url, 'ping', {}, { session: 'of another server' });
      expect(answer.status).toBe(200);
    });

    it('announces nothing that takes a session', async () => {
      const { url } = await start({ legacy: 'stateless' });
      expect(resultOf(await initialize(url))['capabilities']).toEqual({ tools: {}, resources: {} });
      for (const method of ['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']) {
        const answer = await sendLegacy(url, method, { level: 'debug', uri: 'docs://a' });
        expect(errorOf(answer).code).toBe(-32601);
      }
    });

    it('says of a call that asks what the server needs', async () => {
      const { url } = await start({ legacy: 'stateless' });
      const answer = await sendLegacy(url, 'tools/call', { name: 'ask' });
      expect(errorOf(answer)).toMatchObject({ code: -32600 });
      expect(errorOf(answer).message).toContain("legacy: 'sessions'");
      expect(answer.body.id).toBe(1);
    });

    it('takes POST only', async () => {
      const { url } = await start({ legacy: 'stateless' });
      for (const method of ['GET', 'DELETE']) {
        const answer = await fetch(url, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toBe('POST');
      }
      expect((await standLegacy(url, 'x', { 'last-event-id': 's-1' })).status).toBe(405);
    });

    it('streams what is said before an answer, and gives nothing to come back to', async () => {
      const { url } = await start({ legacy: 'stateless' });
      const params = { name: 'talk', _meta: { progressToken: 'p' } };
      const answer = await sendLegacy(url, 'tools/call', params);
      expect(eventsOf(answer)).toMatchObject([
        { method: 'notifications/progress' },
        { id: 1, result: { content: [{ text: 'said' }] } },
      ]);
      expect(answer.text).not.toMatch(/^id:/m);
    });

    it('takes batches and ignores answers', async () => {
      const { url } = await start({ legacy: 'stateless' });
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const response = { jsonrpc: '2.0', id: 'ask-1', result: {} };
      expect((await postLegacy(url, [ping, response])).body).toEqual([
        { jsonrpc: '2.0', id: 1, result: {} },
      ]);
      expect((await postLegacy(url, response)).status).toBe(202);
      const headers = { 'mcp-protocol-version': '2025-11-25' };
      expect((await postLegacy(url, [ping], { headers })).status).toBe(400);
    });
  });

  /** Two servers in one application, the first with sessions. */
  const startTwo = async (legacy: McpLegacyMode): Promise<{ url: string; admin: string }> => {
    const { url, port } = await start(
      { legacy: 'sessions' },
      {
        providers: [SharedTools],
        imports: [
          McpModule.forRoot({
            name: 'admin',
            path: '/admin',
            legacy,
            server: { name: 'admin', version: '1' },
            replay: { secret: SECRET },
          }),
        ],
      },
    );
    return { url, admin: `http://127.0.0.1:${port}/admin` };
  };

  it('goes by the option of each server of an application', async () => {
    const { url, admin } = await startTwo('off');
    const session = await openSession(url);
    expect((await sendLegacy(url, 'ping', {}, { session })).status).toBe(200);
    expect(errorOf(await initialize(admin)).code).toBe(-32022);
    expect((await sendLegacy(admin, 'ping', {}, { session })).status).toBe(400);
    expect((await standLegacy(admin, session)).status).toBe(405);
    expect(resultOf(await send(admin, 'tools/call', { name: 'shared' }))).toBeDefined();
  });

  it('keeps the sessions of one server from the other', async () => {
    const { url, admin } = await startTwo('sessions');
    const session = await openSession(url);
    expect((await sendLegacy(admin, 'ping', {}, { session })).status).toBe(404);
    expect((await endSession(admin, session)).status).toBe(404);
    expect((await sendLegacy(url, 'ping', {}, { session })).status).toBe(200);
  });
});
