import { jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  MCP_CLOCK,
  McpContext,
  type McpSessionRecord,
  McpSessionStore,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { endSession, notifyLegacy, sendLegacy } from '../support/legacy-wire.js';
import { startServer, type TestServer } from '../support/test-server.js';

/** What several instances share. */
class SharedStore extends McpSessionStore {
  readonly records = new Map<string, string>();
  readonly ttls: number[] = [];
  failure: Error | undefined;

  override async save(id: string, record: McpSessionRecord, ttlMs: number): Promise<void> {
    this.ttls.push(ttlMs);
    this.records.set(id, JSON.stringify(record));
  }

  override async load(id: string): Promise<McpSessionRecord | undefined> {
    if (this.failure !== undefined) throw this.failure;
    const text = this.records.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as McpSessionRecord);
  }

  override async remove(id: string): Promise<void> {
    this.records.delete(id);
  }
}

@Injectable()
class Tools {
  @McpTool({ description: 'Says who asks' })
  who(@McpContext() ctx: McpToolContext): string {
    ctx.log.debug('asked');
    return `${ctx.client.info?.name} ${ctx.client.supports('sampling')}`;
  }
}

describe.each(adapters)('a shared session store on %s', (_, adapter) => {
  let store: SharedStore;
  let servers: TestServer[];
  let now: number;

  const start = async (): Promise<TestServer> => {
    const server = await startServer({
      adapter,
      mcp: {
        legacy: 'sessions',
        sessionStore: { useFactory: () => store },
        sessions: { idleMs: 400_000 },
      },
      providers: [Tools],
      override: (builder) => builder.overrideProvider(MCP_CLOCK).useValue(() => now),
    });
    servers.push(server);
    return server;
  };

  beforeEach(() => {
    store = new SharedStore();
    servers = [];
    now = 1_000_000;
  });
  afterEach(() => Promise.all(servers.map((server) => server.close())));

  const begin = async ({ url }: TestServer): Promise<string> => {
    const begun = await sendLegacy(url, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { sampling: {} },
      clientInfo: { name: 'ada', version: '1' },
    });
    const id = begun.headers.get('mcp-session-id') as string;
    await getReady(url, id);
    return id;
  };

  const getReady = async (url: string, session: string): Promise<void> => {
    const told = await notifyLegacy(url, 'notifications/initialized', {}, { session });
    expect(told.status).toBe(202);
  };

  it('has a session known to another instance, and to a later process', async () => {
    const first = await start();
    const id = await begin(first);
    const level = await sendLegacy(
      first.url,
      'logging/setLevel',
      { level: 'debug' },
      { session: id },
    );
    expect(level.body).toMatchObject({ result: {} });
    await first.close();
    servers.splice(0);
    const second = await start();
    const answers = await Promise.all(
      [1, 2].map(
        async () =>
          (await sendLegacy(second.url, 'tools/call', { name: 'who' }, { session: id })).text,
      ),
    );
    for (const answer of answers) {
      expect(answer).toContain('notifications/message');
      expect(answer).toContain('ada true');
    }
  });

  it('ends a session on every instance', async () => {
    const [first, second] = [await start(), await start()];
    const id = await begin(first);
    expect((await sendLegacy(second.url, 'ping', {}, { session: id })).status).toBe(200);
    expect((await endSession(second.url, id)).status).toBe(204);
    expect(store.records.size).toBe(0);
    expect((await sendLegacy(first.url, 'ping', {}, { session: id })).status).toBe(404);
    expect((await sendLegacy(second.url, 'ping', {}, { session: id })).status).toBe(404);
  });

  it('keeps a session while it is used', async () => {
    const server = await start();
    const id = await begin(server);
    expect(store.ttls).toEqual([60_000, 400_000]);
    await sendLegacy(server.url, 'ping', {}, { session: id });
    expect(store.ttls).toHaveLength(2);
    now += 100_001;
    await sendLegacy(server.url, 'ping', {}, { session: id });
    expect(store.ttls).toEqual([60_000, 400_000, 400_000]);
  });

  it('knows of a client that it got ready on another instance', async () => {
    const [first, second] = [await start(), await start()];
    const begun = await sendLegacy(first.url, 'initialize', { protocolVersion: '2025-11-25' });
    const id = begun.headers.get('mcp-session-id') as string;
    await getReady(second.url, id);
    expect(store.ttls).toEqual([60_000, 400_000]);
    now += 100_001;
    await sendLegacy(first.url, 'ping', {}, { session: id });
    expect(store.ttls).toEqual([60_000, 400_000, 400_000]);
  });

  it('watches on for a client that comes to another instance', async () => {
    const first = await start();
    const id = await begin(first);
    await sendLegacy(first.url, 'resources/subscribe', { uri: 'docs://a' }, { session: id });
    expect([...store.records.values()].map((text) => JSON.parse(text) as unknown)).toMatchObject([
      { watched: ['docs://a'], isReady: true, principal: null },
    ]);
    const second = await start();
    await sendLegacy(second.url, 'ping', {}, { session: id });
    await sendLegacy(second.url, 'resources/unsubscribe', { uri: 'docs://a' }, { session: id });
    expect([...store.records.values()][0]).toContain('"watched":[]');
  });

  it('is not asked for what is no id of a session', async () => {
    const server = await start();
    const load = jest.spyOn(store, 'load');
    expect((await sendLegacy(server.url, 'ping', {}, { session: '../x' })).status).toBe(404);
    expect(load).not.toHaveBeenCalled();
  });

  it('refuses what the store cannot answer, and says nothing of why', async () => {
    const server = await start();
    const id = await begin(server);
    store.failure = new Error('redis at 10.0.0.1');
    const response = await sendLegacy(server.url, 'ping', {}, { session: id });
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('10.0.0.1');
    store.failure = undefined;
    expect((await sendLegacy(server.url, 'ping', {}, { session: id })).status).toBe(200);
  });
});
