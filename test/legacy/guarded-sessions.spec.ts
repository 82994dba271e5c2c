import { Injectable, UnauthorizedException } from '@nestjs/common';
import {
  MCP_CLOCK,
  McpContext,
  type McpExchange,
  type McpModuleExtras,
  type McpModuleOptions,
  McpPrincipalSource,
  McpSessionStore,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import {
  endSession,
  initialize,
  notifyLegacy,
  openSession,
  postLegacy,
  sendLegacy,
  standLegacy,
  streamLegacy,
} from '../support/legacy-wire.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { errorOf, resultOf, textOf, type WireResponse } from '../support/wire.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

class HeaderPrincipals extends McpPrincipalSource {
  override currentPrincipal({ headers }: McpExchange): string | null {
    const { 'x-user': user } = headers;
    if (user === 'mallory') throw new UnauthorizedException();
    return typeof user === 'string' ? user : null;
  }
}

/** Takes its time over the first session, until a case lets it go on. */
class SlowStore extends McpSessionStore {
  private saved = 0;

  override async save(): Promise<void> {
    this.saved += 1;
    if (this.saved > 1) return;
    begun.open();
    await held.opened;
  }

  override async load(): Promise<undefined> {
    return undefined;
  }

  override async remove(): Promise<void> {
    return;
  }
}

/** What a tool waits for, of one case. */
let begun: Gate;
let held: Gate;

@Injectable()
class Tools {
  @McpTool({ description: 'Says who asks' })
  who(@McpContext() ctx: McpToolContext): string {
    return String(ctx.principal);
  }

  @McpTool({ description: 'Waits' })
  async wait(@McpContext() ctx: McpToolContext): Promise<string> {
    begun.open();
    await Promise.race([held.opened, aborted(ctx.signal)]);
    return ctx.signal.aborted ? 'cancelled' : 'waited';
  }

  @McpTool({ description: 'Asks' })
  async ask(@McpContext() ctx: McpToolContext): Promise<string> {
    const roots = await ctx.listRoots();
    return roots.map(({ uri }) => uri).join();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

describe.each(adapters)('sessions on %s, guarded', (_, adapter) => {
  let server: TestServer;
  let now: number;

  const start = async (
    mcp: Partial<McpModuleOptions> & McpModuleExtras = {},
  ): Promise<TestServer> => {
    server = await startServer({
      adapter,
      mcp: { legacy: 'sessions', principalSource: { useClass: HeaderPrincipals }, ...mcp },
      providers: [Tools],
      override: (builder) => builder.overrideProvider(MCP_CLOCK).useValue(() => now),
    });
    return server;
  };
  const ping = (session?: string, headers: Record<string, string> = {}): Promise<WireResponse> =>
    sendLegacy(server.url, 'ping', {}, { session, headers });
  const statuses = async (session: string, headers: Record<string, string>): Promise<number[]> => {
    const stream = await standLegacy(server.url, session, headers);
    stream.close();
    const { status } = await ping(session, headers);
    return [stream.status ?? 0, status, (await endSession(server.url, session, headers)).status];
  };

  beforeEach(() => {
    now = 1_000_000;
    begun = new Gate();
    held = new Gate();
  });
  afterEach(() => server.close());

  describe('who is let in', () => {
    it('tells a client without a session what to send', async () => {
      const { url } = await start();
      const answer = await sendLegacy(url, 'tools/list');
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toMatch(/^Mcp-Session-Id is missing\. Send initialize first/);
      for (const method of ['GET', 'DELETE']) {
        const other = await fetch(url, { method });
        expect(other.status).toBe(400);
        expect(await other.text()).toContain('Send initialize first');
      }
    });

    it('begins with a single request to initialize and nothing else', async () => {
      const { url } = await start();
      const params = { protocolVersion: '2025-03-26', capabilities: {} };
      const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      expect((await postLegacy(url, [request])).status).toBe(400);
      expect((await notifyLegacy(url, 'initialize', params)).status).toBe(400);
      expect((await notifyLegacy(url, 'notifications/initialized')).status).toBe(400);
      expect((await postLegacy(url, { jsonrpc: '2.0', id: 1, result: {} })).status).toBe(400);
      expect((await postLegacy(url, request)).status).toBe(200);
    });

    it.each([
      ['unknown', NOBODY],
      ['malformed', 'nonsense'],
      ['inherited', '__proto__'],
      ['long', 'a'.repeat(4_000)],
    ])('finds no session of an %s id', async (_name, session) => {
      const { url } = await start();
      await openSession(url);
      expect(await statuses(session, {})).toEqual([404, 404, 404]);
      expect(errorOf(await ping(session)).message).toContain('send initialize to begin another');
    });

    it('finds a session for nobody but whose it is', async () => {
      const { url } = await start();
      const ada = { 'x-user': 'ada' };
      const session = await openSession(url, { headers: ada });
      for (const user of ['bob', 'null', '']) {
        expect(await statuses(session, { 'x-user': user })).toEqual([404, 404, 404]);
      }
      expect(await statuses(session, {})).toEqual([404, 404, 404]);
      const unknown = errorOf(await ping(NOBODY, ada));
      expect(errorOf(await ping(session, { 'x-user': 'bob' }))).toEqual(unknown);
      expect(await statuses(session, ada)).toEqual([200, 200, 204]);
    });

    it('keeps a session of nobody from somebody', async () => {
      const { url } = await start();
      const session = await openSession(url);
      expect(await statuses(session, { 'x-user': 'ada' })).toEqual([404, 404, 404]);
      expect((await ping(session)).status).toBe(200);
    });

    it('says how to log in to whom the principal source turns away', async () => {
      const { url } = await start();
      const session = await openSession(url, { headers: { 'x-user': 'ada' } });
      const headers = { 'x-user': 'mallory' };
      expect(await statuses(session, headers)).toEqual([401, 401, 401]);
      for (const answer of [await ping(session, headers), await initialize(url, { headers })]) {
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
        expect(answer.headers.get('mcp-session-id')).toBeNull();
      }
    });

    it.each(['2024-11-05', '2026-01-01', ''])('refuses the revision %j', async (version) => {
      const { url } = await start();
      const session = await openSession(url);
      const headers = { 'mcp-protocol-version': version };
      const answer = await ping(session, headers);
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain('2025-11-25, 2025-06-18, 2025-03-26');
      expect(await statuses(session, headers)).toEqual([400, 400, 400]);
    });

    it('holds GET and DELETE to the rules for Origin and Host', async () => {
      const { url } = await start();
      const session = await openSession(url);
      for (const rule of ['origin', 'host']) {
        const stream = await standLegacy(url, session, { [rule]: 'https://evil.example' });
        expect(stream.status).toBe(403);
        stream.close();
      }
      const evil = { origin: 'https://evil.example' };
      expect((await endSession(url, session, evil)).status).toBe(403);
      expect(await statuses(session, { origin: 'http://localhost:3000' })).toEqual([200, 200, 204]);
    });

    it('streams to those only that take events', async () => {
      const { url } = await start();
      const session = await openSession(url);
      const stream = await standLegacy(url, session, { accept: 'application/json' });
      expect(stream.status).toBe(406);
      stream.close();
    });
  });

  describe('how long it lasts', () => {
    it('ends after it was not used for idleMs', async () => {
      const { url } = await start({ sessions: { idleMs: 400_000 } });
      const session = await openSession(url);
      now += 400_000;
      expect((await ping(session)).status).toBe(200);
      now += 400_000;
      expect((await ping(session)).status).toBe(200);
      now += 400_001;
      expect((await ping(session)).status).toBe(404);
    });

    it('ends after a minute when its client never got ready', async () => {
      const { url } = await start({ sessions: { idleMs: 400_000 } });
      const [kept, session] = [await openSession(url), await openSession(url, { ready: false })];
      now += 60_000;
      expect((await ping(session)).status).toBe(200);
      now += 60_001;
      expect((await ping(session)).status).toBe(404);
      expect((await ping(kept)).status).toBe(200);
    });

    it('lasts while a call goes on, and idleMs from its end', async () => {
      const { url } = await start({ sessions: { idleMs: 400_000 } });
      const session = await openSession(url);
      const call = sendLegacy(url, 'tools/call', { name: 'wait' }, { session });
      await begun.opened;
      now += 4_000_000;
      expect((await ping(session)).status).toBe(200);
      now += 4_000_000;
      held.open();
      expect(textOf(await call)).toBe('waited');
      now += 400_000;
      expect((await ping(session)).status).toBe(200);
    });

    it('ends when its client says so, and what goes on in it', async () => {
      const { url } = await start();
      const session = await openSession(url);
      const call = sendLegacy(url, 'tools/call', { name: 'wait' }, { session });
      const stream = await standLegacy(url, session);
      await begun.opened;
      expect((await endSession(url, session)).status).toBe(204);
      expect(textOf(await call)).toBe('cancelled');
      expect(await stream.end()).toBe('ended');
      expect(await statuses(session, {})).toEqual([404, 404, 404]);
    });

    it('opens no more than maxOpen, until others have ended or expired', async () => {
      const { url } = await start({ sessions: { maxOpen: 2, idleMs: 400_000 } });
      const [first] = [await openSession(url), await openSession(url)];
      const refused = await initialize(url);
      expect(refused.status).toBe(503);
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(refused.headers.get('mcp-session-id')).toBeNull();
      expect((await ping(first)).status).toBe(200);
      await endSession(url, first);
      expect((await initialize(url)).status).toBe(200);
      expect((await initialize(url)).status).toBe(503);
      now += 400_001;
      expect((await initialize(url)).status).toBe(200);
    });

    it('counts those that are about to begin', async () => {
      const { url } = await start({
        sessions: { maxOpen: 1 },
        sessionStore: { useClass: SlowStore },
      });
      const first = initialize(url);
      await begun.opened;
      expect((await initialize(url)).status).toBe(503);
      held.open();
      expect((await first).status).toBe(200);
    });
  });

  describe('batches', () => {
    const request = (id: number | string, method = 'ping', params = {}): object => ({
      jsonrpc: '2.0',
      id,
      method,
      params,
    });
    const notification = { jsonrpc: '2.0', method: 'notifications/x' };
    const response = { jsonrpc: '2.0', id: 'ask-9', result: {} };

    it('answers every request of one, as a list', async () => {
      const { url } = await start();
      const session = await openSession(url, { revision: '2025-03-26' });
      const answer = await postLegacy(
        url,
        [
          notification,
          request(1, 'tools/call', { name: 'who' }),
          response,
          request('two'),
          request(3, 'nonsense'),
        ],
        { session },
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('application/json');
      const answers = answer.body as unknown as { id: unknown }[];
      expect(answers).toHaveLength(3);
      expect(answers).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: 1, result: { content: [{ type: 'text', text: 'null' }] } }),
          { jsonrpc: '2.0', id: 'two', result: {} },
          expect.objectContaining({ id: 3 }),
        ]),
      );
      expect(answer.text).toContain('-32601');
    });

    it('answers one of a single request with a list, and one without any with 202', async () => {
      const { url } = await start();
      const session = await openSession(url, { revision: '2025-03-26' });
      expect((await postLegacy(url, [request(1)], { session })).body).toEqual([
        { jsonrpc: '2.0', id: 1, result: {} },
      ]);
      const silent = await postLegacy(url, [notification, response], { session });
      expect([silent.status, silent.text]).toEqual([202, '']);
    });

    it('takes an answer from one', async () => {
      const { url } = await start();
      const session = await openSession(url, {
        revision: '2025-03-26',
        capabilities: { roots: {} },
      });
      const call = await streamLegacy(url, 'tools/call', { name: 'ask' }, { session });
      const { id, method } = await call.next();
      expect(method).toBe('roots/list');
      const answer = { jsonrpc: '2.0', id, result: { roots: [{ uri: 'file:///a' }] } };
      expect((await postLegacy(url, [notification, answer], { session })).status).toBe(202);
      expect(await call.next()).toMatchObject({ result: { content: [{ text: 'file:///a' }] } });
      expect(await call.end()).toBe('ended');
    });

    it.each([
      ['an empty one', []],
      ['one too long', Array.from({ length: 101 }, () => notification)],
      ['one with what is no message', [request(1), 'nonsense']],
      ['one within another', [[request(1)]]],
    ])('refuses %s', async (_name, batch) => {
      const { url } = await start();
      const session = await openSession(url, { revision: '2025-03-26' });
      const answer = await postLegacy(url, batch, { session });
      expect(answer.status).toBe(400);
      expect(errorOf(answer).code).toBe(-32600);
    });

    it.each(['2025-06-18', '2025-11-25'] as const)('refuses them in %s', async (revision) => {
      const { url } = await start();
      const session = await openSession(url, { revision });
      const answer = await postLegacy(url, [request(1)], { session });
      expect(answer.status).toBe(400);
      expect(errorOf(answer).message).toContain(`not part of revision ${revision}`);
    });
  });

  it('refuses a request whose id is in flight, and leaves the other one alone', async () => {
    const { url } = await start();
    const session = await openSession(url);
    const first = sendLegacy(url, 'tools/call', { name: 'wait' }, { session, id: 7 });
    await begun.opened;
    const second = await sendLegacy(url, 'tools/call', { name: 'who' }, { session, id: 7 });
    expect(errorOf(second).code).toBe(-32600);
    expect(second.body.id).toBe(7);
    held.open();
    expect(textOf(await first)).toBe('waited');
    const third = await sendLegacy(url, 'tools/call', { name: 'who' }, { session, id: 7 });
    expect(textOf(third)).toBe('null');
  });

  it('lets two sessions use one id, and each cancel its own', async () => {
    const { url } = await start();
    const [one, other] = [await openSession(url), await openSession(url)];
    const call = sendLegacy(url, 'tools/call', { name: 'wait' }, { session: one, id: 7 });
    await begun.opened;
    await notifyLegacy(url, 'notifications/cancelled', { requestId: 7 }, { session: other });
    const second = await sendLegacy(url, 'tools/call', { name: 'who' }, { session: other, id: 7 });
    expect(resultOf(second)).toBeDefined();
    held.open();
    expect(textOf(await call)).toBe('waited');
  });
});
