import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import {
  InjectMcpNotifier,
  MCP_CLOCK,
  McpContext,
  type McpModuleExtras,
  type McpModuleOptions,
  McpNotifier,
  McpResource,
  type McpSessionRecord,
  McpSessionStore,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { Gate } from '../support/gate.js';
import type { EventStream } from '../support/event-stream.js';
import {
  endSession,
  openSession,
  sendLegacy,
  standLegacy,
  streamLegacy,
} from '../support/legacy-wire.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { resultOf, textOf } from '../support/wire.js';

/** A uri that fills buffers. */
const LONG = `docs://b/${'b'.repeat(2_000)}`;

let gone: Gate;
let held: Gate;

@Injectable()
class Tools {
  constructor(@InjectMcpNotifier() private readonly notifier: McpNotifier) {}

  @McpTool({ description: 'Logs' })
  talk(@McpContext() ctx: McpToolContext): string {
    ctx.log.error('hello');
    return 'said';
  }

  @McpTool({ description: 'Logs, and waits' })
  async hold(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.signal.addEventListener('abort', () => gone.open());
    ctx.log.error('hello');
    await held.opened;
    return 'held';
  }

  @McpResource({ uri: 'docs://a' })
  doc(): string {
    return 'text';
  }

  @McpTool({ description: 'Changes much' })
  async flood(): Promise<string> {
    for (let times = 0; times < 8_000; times += 1) {
      this.notifier.resourceUpdated(LONG);
      await turn();
    }
    return 'flooded';
  }

  @McpResource({ uriTemplate: 'docs://b/{name}' })
  docs(): string {
    return 'text';
  }

  @McpTool({ description: 'Changes' })
  change(): string {
    this.notifier.resourceUpdated('docs://a');
    this.notifier.toolsChanged();
    return 'changed';
  }
}

/** A store of one instance that can be out of order. */
class BrittleStore extends McpSessionStore {
  static failure: Error | undefined;
  private readonly records = new Map<string, McpSessionRecord>();

  override async save(id: string, record: McpSessionRecord): Promise<void> {
    if (BrittleStore.failure !== undefined) throw BrittleStore.failure;
    this.records.set(id, record);
  }

  override async load(id: string): Promise<McpSessionRecord | undefined> {
    return this.records.get(id);
  }

  override async remove(id: string): Promise<void> {
    this.records.delete(id);
  }
}

describe.each(adapters)('streams of sessions on %s', (_, adapter) => {
  let server: TestServer;
  let now: number;
  let unhandled: unknown[];
  /** Resolves when the response to the newest GET has closed. */
  let lastGet: Promise<unknown>;
  const keep = (reason: unknown): void => void unhandled.push(reason);

  const start = async (
    mcp: Partial<McpModuleOptions> & McpModuleExtras = {},
  ): Promise<TestServer> => {
    server = await startServer({
      adapter,
      mcp: { legacy: 'sessions', ...mcp },
      providers: [Tools],
      override: (builder) => builder.overrideProvider(MCP_CLOCK).useValue(() => now),
      configure: (app) => {
        const http = app.getHttpServer() as Server;
        http.on('request', ({ method }: IncomingMessage, response: ServerResponse) => {
          if (method === 'GET') lastGet = once(response, 'close');
        });
      },
    });
    return server;
  };
  const call = (session: string, name: string): Promise<unknown> =>
    sendLegacy(server.url, 'tools/call', { name }, { session });
  /** A session whose client hears of the log. */
  const openHearing = async (url: string): Promise<string> => {
    const session = await openSession(url);
    await sendLegacy(url, 'logging/setLevel', { level: 'info' }, { session });
    return session;
  };
  /** Resolves when the server has heard that a stream was closed, which ends nothing of the session. */
  const closed = async (stream: EventStream): Promise<void> => {
    stream.close();
    await lastGet;
    // Others hear of it in the same turn.
    await turn();
  };
  const methods = async (stream: EventStream, count: number): Promise<unknown[]> => {
    const heard = [];
    for (let each = 0; each < count; each += 1) heard.push((await stream.next()).method);
    return heard.sort();
  };

  beforeEach(() => {
    now = 1_000_000;
    unhandled = [];
    gone = new Gate();
    held = new Gate();
    BrittleStore.failure = undefined;
    process.on('unhandledRejection', keep);
  });
  afterEach(async () => {
    await server.close();
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  it.each(['2025-11-25', '2025-06-18'] as const)(
    'tells of changes again when a client of %s comes back that was away for long',
    async (revision) => {
      const { url } = await start({ sessions: { resumeMs: 0 } });
      const session = await openSession(url, { revision });
      await sendLegacy(url, 'resources/subscribe', { uri: 'docs://a' }, { session });
      const changed = ['notifications/resources/updated', 'notifications/tools/list_changed'];
      for (let times = 0; times < 3; times += 1) {
        const stream = await standLegacy(url, session);
        await call(session, 'change');
        expect(await methods(stream, 2)).toEqual(changed);
        await closed(stream);
      }
    },
  );

  it('has what a client has missed of the standing stream', async () => {
    const { url } = await start({ sessions: { resumeMs: 0 } });
    const session = await openSession(url);
    const stream = await standLegacy(url, session);
    await call(session, 'change');
    await stream.next();
    await closed(stream);
    await call(session, 'change');
    const again = await standLegacy(url, session, { 'last-event-id': stream.lastEventId ?? '' });
    expect(await methods(again, 1)).toEqual(['notifications/tools/list_changed']);
    again.close();
  });

  it('cuts off a client that reads too slowly, and tells it more when it comes back', async () => {
    const { url } = await start({ http: { maxBufferedBytes: 100_000 } });
    const session = await openSession(url);
    await sendLegacy(url, 'resources/subscribe', { uri: LONG }, { session });
    const stream = await standLegacy(url, session);
    stream.pause();
    await call(session, 'flood');
    await lastGet;
    const again = await standLegacy(url, session);
    await call(session, 'change');
    expect(await methods(again, 1)).toEqual(['notifications/tools/list_changed']);
    again.close();
    stream.close();
  });

  it('sends on the newest standing stream only', async () => {
    const { url } = await start();
    const session = await openSession(url);
    const first = await standLegacy(url, session);
    const second = await standLegacy(url, session);
    expect(await first.end()).toBe('ended');
    await call(session, 'change');
    expect(await methods(second, 1)).toEqual(['notifications/tools/list_changed']);
    expect(first.unread).toEqual([]);
    second.close();
  });

  it('gives a client that was listening for long its time when the stream breaks', async () => {
    const { url } = await start({ sessions: { idleMs: 400_000 } });
    const session = await openSession(url);
    const stream = await standLegacy(url, session);
    now += 4_000_000;
    await closed(stream);
    now += 400_000;
    expect((await sendLegacy(url, 'ping', {}, { session })).status).toBe(200);
  });

  it('serves sessions where nobody may subscribe', async () => {
    const { url } = await start({ subscriptions: { maxOpen: 0 } });
    const session = await openSession(url);
    const stream = await standLegacy(url, session);
    expect(stream.status).toBe(503);
    expect(await stream.end()).toBe('ended');
    expect((await sendLegacy(url, 'ping', {}, { session })).status).toBe(200);
  });

  it('keeps what a client may come back for, however many plain answers follow', async () => {
    const { url } = await start();
    const session = await openHearing(url);
    const stream = await streamLegacy(url, 'tools/call', { name: 'talk' }, { session });
    await stream.end();
    const first = stream.lastEventId?.replace(/-\d+$/, '-1') ?? '';
    for (let id = 2; id < 40; id += 1) await sendLegacy(url, 'ping', {}, { session, id });
    const again = await standLegacy(url, session, { 'last-event-id': first });
    expect(again.status).toBe(200);
    expect(await again.end()).toBe('ended');
    expect(again.unread.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'said' }] } });
  });

  it('keeps no more than so many streams that have ended', async () => {
    const { url } = await start();
    const session = await openHearing(url);
    const ids: string[] = [];
    for (let id = 1; id < 30; id += 1) {
      const stream = await streamLegacy(url, 'tools/call', { name: 'talk' }, { session, id });
      await stream.end();
      ids.push(stream.lastEventId ?? '');
    }
    const statuses: (number | undefined)[] = [];
    for (const id of ids) {
      const stream = await standLegacy(url, session, { 'last-event-id': id });
      statuses.push(stream.status);
      stream.close();
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
    expect(statuses.slice(-16)).toEqual(Array.from({ length: 16 }, () => 200));
  });

  it('refuses to go on with a stream whose call was given up', async () => {
    const { url } = await start({ sessions: { resumeMs: 0 } });
    const session = await openHearing(url);
    const stream = await streamLegacy(url, 'tools/call', { name: 'hold' }, { session });
    await stream.next();
    stream.close();
    await gone.opened;
    const headers = { 'last-event-id': stream.lastEventId ?? '' };
    expect((await standLegacy(url, session, headers)).status).toBe(400);
    held.open();
  });

  it.each(['s2-99', 's999-1', '-1', 's2-', `s2-${'9'.repeat(99)}`, '__proto__-0', 's1-0-0', ''])(
    'refuses Last-Event-ID %j',
    async (lastEventId) => {
      const { url } = await start();
      const session = await openHearing(url);
      await call(session, 'talk');
      const stream = await standLegacy(url, session, { 'last-event-id': lastEventId });
      expect(stream.status).toBe(400);
      expect((await sendLegacy(url, 'ping', {}, { session })).status).toBe(200);
    },
  );

  it('shows nobody the stream of another session', async () => {
    const { url } = await start();
    const [one, other] = [await openHearing(url), await openHearing(url)];
    const stream = await streamLegacy(url, 'tools/call', { name: 'talk' }, { session: one });
    await stream.end();
    const headers = { 'last-event-id': stream.lastEventId ?? '' };
    expect((await standLegacy(url, other, headers)).status).toBe(400);
    expect((await standLegacy(url, one, headers)).status).toBe(200);
  });

  it('ends a call whose session cannot be kept, and goes on', async () => {
    const { url, logs } = await start({ sessionStore: { useClass: BrittleStore } });
    const session = await openHearing(url);
    const stream = await streamLegacy(url, 'tools/call', { name: 'hold' }, { session });
    expect((await stream.next()).method).toBe('notifications/message');
    now += 1_000_000;
    BrittleStore.failure = new Error('redis at 10.0.0.1');
    held.open();
    expect(await stream.next()).toMatchObject({ id: 1 });
    expect(await stream.end()).toBe('ended');
    expect(logs.map(({ text }) => text).join()).toContain('10.0.0.1');
    BrittleStore.failure = undefined;
    expect(resultOf(await sendLegacy(url, 'ping', {}, { session }))).toEqual({});
  });

  it('ends the standing stream of a session that ends, and lets the server close', async () => {
    const { url } = await start();
    const [one, other] = [await openSession(url), await openSession(url)];
    const [first, second] = [await standLegacy(url, one), await standLegacy(url, other)];
    await endSession(url, one);
    expect(await first.end()).toBe('ended');
    await server.app.close();
    expect(await second.end()).toBe('ended');
  });

  it('answers plainly where nothing is said before', async () => {
    const { url } = await start();
    const session = await openSession(url);
    const answer = await sendLegacy(url, 'tools/call', { name: 'change' }, { session });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(textOf(answer)).toBe('changed');
  });
});
