import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import {
  McpExecutionContext,
  McpHandler,
  McpNotifier,
  McpPrompt,
  McpRegistry,
  McpResource,
  McpTool,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { HeaderPrincipalSource } from '../support/header-principal.source.js';
import { EventStream, listen } from '../support/event-stream.js';
import { connect } from '../support/official-client.js';
import { SharedBus } from '../support/shared-bus.js';
import { startServer, type TestServer, type TestServerOptions } from '../support/test-server.js';
import { errorOf, send } from '../support/wire.js';

const SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

@Injectable()
class Books {
  @McpTool()
  lend(): string {
    return 'lent';
  }

  @McpPrompt()
  recommend(): string {
    return 'Recommend a book';
  }

  @McpResource({ uri: 'books://all' })
  all(): string {
    return 'all of them';
  }

  @McpResource({
    uri: 'books://secret',
    visible: ({ principal }) => principal === 'ada',
  })
  secret(): string {
    return 'only for Ada';
  }

  @McpResource({
    uriTemplate: 'shelf://{owner}/{book}',
    visible: ({ principal }) => principal === 'ada',
  })
  shelf(): string {
    return 'only for Ada, too';
  }
}

class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = McpExecutionContext.create(context);
    return call.getArguments()['owner'] === call.getExchange().principal;
  }
}

@Injectable()
class Loans {
  @McpResource({ uriTemplate: 'loans://{owner}' })
  @UseGuards(OwnerGuard)
  loans(): string {
    return 'never read here';
  }
}

@Injectable()
class Pages {
  @McpResource({ uriTemplate: 'pages://{number}/{+rest}' })
  page(): string {
    return 'never read here';
  }
}

@Injectable()
class ToolsOnly {
  @McpTool()
  lend(): string {
    return 'lent';
  }

  @McpHandler()
  later(): string {
    return 'came later';
  }
}

describe.each(adapters)('subscriptions/listen on %s', (_name, adapter) => {
  let server: TestServer;
  let notifier: McpNotifier;
  let sockets: Socket[];
  const streams: EventStream[] = [];

  async function start(options: TestServerOptions = {}): Promise<TestServer> {
    const { mcp, ...rest } = options;
    sockets = [];
    server = await startServer({
      adapter,
      configure: (app) =>
        (app.getHttpServer() as Server).on('connection', (socket) => sockets.push(socket)),
      providers: [Books],
      mcp: { principalSource: { useClass: HeaderPrincipalSource }, ...mcp },
      ...rest,
    });
    notifier = server.app.get(McpNotifier);
    return server;
  }

  /** Opens a subscription and takes its acknowledgement. */
  async function subscribe(
    notifications: Record<string, unknown>,
    options: Parameters<typeof listen>[2] = {},
    url = server.url,
  ): Promise<EventStream> {
    const stream = await listen(url, notifications, options);
    streams.push(stream);
    expect((await stream.next()).method).toBe(ACKNOWLEDGED);
    return stream;
  }

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await server.close();
  });

  it('acknowledges first, with what it honours', async () => {
    await start();
    const stream = await listen(server.url, {
      toolsListChanged: true,
      promptsListChanged: false,
      resourceSubscriptions: ['books://all', 'books://all'],
      unknownOnes: true,
    });
    streams.push(stream);
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: ACKNOWLEDGED,
      params: {
        _meta: { [SUBSCRIPTION_ID]: 1 },
        notifications: { toolsListChanged: true, resourceSubscriptions: ['books://all'] },
      },
    });
  });

  it('acknowledges even a filter that asks for nothing', async () => {
    await start();
    const stream = await listen(server.url, {});
    streams.push(stream);
    expect((await stream.next()).params).toMatchObject({ notifications: {} });
  });

  it('acknowledges nothing that server/discover does not announce', async () => {
    await start({ providers: [ToolsOnly] });
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['books://all'],
    };
    const early = await listen(server.url, filter);
    streams.push(early);
    expect((await early.next()).params).toMatchObject({
      notifications: { toolsListChanged: true },
    });
    const registry = server.app.get(McpRegistry);
    registry.addPrompt({ name: 'later' }, ToolsOnly, 'later');
    registry.addResource({ uri: 'books://all' }, ToolsOnly, 'later');
    const late = await listen(server.url, filter);
    streams.push(late);
    expect((await late.next()).params).toMatchObject({ notifications: filter });
    notifier.promptsChanged();
    notifier.resourcesChanged();
    notifier.resourceUpdated('books://all');
    notifier.toolsChanged();
    // It was told that it would not hear of more.
    expect((await early.next()).method).toBe('notifications/tools/list_changed');
    expect(early.unread).toEqual([]);
  });

  it.each(['one', 'zwölf', 0, 42])('tags everything with the id of the request: %p', async (id) => {
    await start();
    const stream = await subscribe({ toolsListChanged: true, resourcesListChanged: true }, { id });
    notifier.toolsChanged();
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [SUBSCRIPTION_ID]: id } },
    });
    notifier.resourcesChanged();
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/list_changed',
      params: { _meta: { [SUBSCRIPTION_ID]: id } },
    });
  });

  it('sends what was asked for and nothing else', async () => {
    await start();
    const tools = await subscribe({ toolsListChanged: true }, { id: 'tools' });
    const prompts = await subscribe({ promptsListChanged: true }, { id: 'prompts' });
    const book = await subscribe({ resourceSubscriptions: ['books://all'] }, { id: 'book' });
    notifier.resourceUpdated('books://other');
    notifier.resourcesChanged();
    notifier.promptsChanged();
    notifier.resourceUpdated('books://all');
    notifier.toolsChanged();
    expect(await tools.next()).toMatchObject({
      method: 'notifications/tools/list_changed',
      params: { _meta: { [SUBSCRIPTION_ID]: 'tools' } },
    });
    expect(await prompts.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    expect(await book.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { _meta: { [SUBSCRIPTION_ID]: 'book' }, uri: 'books://all' },
    });
    expect([tools.unread, prompts.unread, book.unread]).toEqual([[], [], []]);
  });

  it('announces what changes several times at once only once', async () => {
    await start();
    const stream = await subscribe({ toolsListChanged: true, promptsListChanged: true });
    for (let times = 0; times < 5; times++) notifier.toolsChanged();
    notifier.promptsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect((await stream.next()).method).toBe('notifications/prompts/list_changed');
    notifier.toolsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
  });

  it.each([
    ['of nothing', undefined, 'params.notifications must be an object'],
    ['of a list', ['toolsListChanged'], 'params.notifications must be an object'],
    [
      'of a word',
      { toolsListChanged: 'yes' },
      'params.notifications.toolsListChanged must be true or false',
    ],
    ['of one uri', { resourceSubscriptions: 'books://all' }, 'must be a list of uris'],
    ['of a number', { resourceSubscriptions: [1] }, 'must be a list of uris'],
    ['of a long uri', { resourceSubscriptions: ['x'.repeat(2_049)] }, 'at most 2048 characters'],
    ['of many uris', { resourceSubscriptions: ['a:', 'b:', 'c:'] }, 'has 3 uris. Send at most 2.'],
  ])('refuses a filter %s', async (_what, notifications, message) => {
    await start({ mcp: { subscriptions: { maxResources: 2 } } });
    const response = await send(server.url, 'subscriptions/listen', { notifications });
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({ code: -32602 });
    expect(errorOf(response).message).toContain(message);
  });

  it('keeps a silent stream alive', async () => {
    await start({ mcp: { http: { keepAliveMs: 5 } } });
    const stream = await subscribe({ toolsListChanged: true });
    await stream.comment();
    await stream.comment();
    notifier.toolsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
  });

  it('opens no more than it may, and counts those that have left', async () => {
    await start({ mcp: { subscriptions: { maxOpen: 1 } } });
    const first = await subscribe({ toolsListChanged: true });
    const refused = await send(server.url, 'subscriptions/listen', { notifications: {} });
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(errorOf(refused).message).toContain('1 of 1 subscriptions are open already');
    const [socket] = sockets as [Socket];
    first.close();
    await once(socket, 'close');
    await subscribe({ toolsListChanged: true });
  });

  it('ends every stream with its final response when the application closes', async () => {
    await start();
    const one = await subscribe({ toolsListChanged: true }, { id: 'one' });
    const two = await subscribe({}, { id: 2 });
    const closing = server.app.close();
    for (const [stream, id] of [
      [one, 'one'],
      [two, 2],
    ] as const) {
      expect(await stream.next()).toMatchObject({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', _meta: { [SUBSCRIPTION_ID]: id } },
      });
      expect(await stream.end()).toBe('ended');
    }
    await closing;
  });

  it('drops a client that does not read, and keeps the others', async () => {
    await start({ providers: [Books, Pages], mcp: { http: { maxBufferedBytes: 4_096 } } });
    const uris = Array.from({ length: 500 }, (_, index) => `pages://${index}/${'x'.repeat(1_900)}`);
    const slow = await subscribe({ resourceSubscriptions: uris });
    slow.pause();
    const quick = await subscribe({ toolsListChanged: true });
    const [slowSocket] = sockets as [Socket];
    // What the kernel's buffers take differs; far more than they hold is the bound.
    for (let round = 0; round < 100 && !slowSocket.destroyed; round++) {
      for (const uri of uris) notifier.resourceUpdated(uri);
      await turn();
      await turn();
    }
    expect(slowSocket.destroyed).toBe(true);
    notifier.toolsChanged();
    expect((await quick.next()).method).toBe('notifications/tools/list_changed');
  });

  it('tells nobody of a resource that is hidden from them', async () => {
    await start();
    const filter = {
      resourceSubscriptions: ['books://secret', 'shelf://ada/1', 'books://all'],
    };
    const ada = await subscribe(filter, { headers: { 'x-user': 'ada' } });
    const eve = await subscribe(filter, { headers: { 'x-user': 'eve' } });
    notifier.resourceUpdated('books://secret');
    notifier.resourceUpdated('shelf://ada/1');
    await turn();
    notifier.resourceUpdated('books://all');
    for (const uri of ['books://secret', 'shelf://ada/1', 'books://all']) {
      expect((await ada.next()).params).toMatchObject({ uri });
    }
    expect((await eve.next()).params).toMatchObject({ uri: 'books://all' });
    expect(eve.unread).toEqual([]);
  });

  it('tells nobody of a resource that its guards would refuse them', async () => {
    await start({ providers: [Books, Loans] });
    const filter = { resourceSubscriptions: ['loans://ada', 'loans://eve', 'books://all'] };
    const eve = await subscribe(filter, { headers: { 'x-user': 'eve' } });
    notifier.resourceUpdated('loans://ada');
    notifier.resourceUpdated('loans://eve');
    expect((await eve.next()).params).toMatchObject({ uri: 'loans://eve' });
    notifier.resourceUpdated('books://all');
    expect((await eve.next()).params).toMatchObject({ uri: 'books://all' });
    expect(eve.unread).toEqual([]);
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('hears of the changes of another instance', async () => {
    const bus = new SharedBus();
    const changeBus = { useFactory: () => bus };
    await start({ mcp: { changeBus } });
    const here = server;
    const there = await startServer({ adapter, providers: [Books], mcp: { changeBus } });
    const stranger = await startServer({
      adapter,
      providers: [Books],
      mcp: { changeBus, server: { name: 'other', version: '1' } },
    });
    const stream = await subscribe({
      toolsListChanged: true,
      resourceSubscriptions: ['books://all'],
    });
    stranger.app.get(McpNotifier).toolsChanged();
    there.app.get(McpNotifier).resourceUpdated('books://all');
    expect(await stream.next()).toMatchObject({ params: { uri: 'books://all' } });
    expect(bus.published).toHaveLength(2);
    expect(stream.unread).toEqual([]);
    await there.close();
    await stranger.close();
    expect(bus.listeners.size).toBe(1);
    server = here;
  });

  it('logs what a broken bus says, and goes on', async () => {
    const bus = new (class extends SharedBus {
      override publish(): never {
        throw new Error('the broker is down');
      }
    })();
    await start({ mcp: { changeBus: { useFactory: () => bus } } });
    notifier.toolsChanged();
    await turn();
    await turn();
    expect(server.logs).toContainEqual(
      expect.objectContaining({
        level: 'error',
        text: expect.stringContaining('the broker is down') as string,
      }),
    );
    expect((await send(server.url, 'tools/list')).status).toBe(200);
  });

  it.each([
    ['nothing', null],
    ['a number', 5],
    ['a list', []],
    ['an empty object', {}],
    ['a change of no server', { type: 'tools' }],
    ['a change of what is none', { type: 'weird', server: 'test' }],
    ['a change of no resource', { type: 'resource', server: 'test' }],
  ])('drops %s that a bus delivers, and logs it', async (_what, message) => {
    const bus = new SharedBus();
    await start({ mcp: { changeBus: { useFactory: () => bus } } });
    const stream = await subscribe({ toolsListChanged: true, resourceSubscriptions: ['books:'] });
    bus.deliver(message);
    notifier.toolsChanged();
    expect((await stream.next()).method).toBe('notifications/tools/list_changed');
    expect(stream.unread).toEqual([]);
    expect(server.logs).toContainEqual({
      level: 'warn',
      text: expect.stringContaining('The change bus has delivered what is no change: ') as string,
    });
  });

  it.each([
    ['fails', () => Promise.reject(new Error('the broker is gone'))],
    [
      'throws',
      () => {
        throw new Error('the broker is gone');
      },
    ],
  ])('ends every stream though the bus %s as it is left', async (_how, leave) => {
    const bus = new (class extends SharedBus {
      override subscribe(): () => Promise<void> {
        return leave;
      }
    })();
    await start({ mcp: { changeBus: { useFactory: () => bus } } });
    const stream = await subscribe({ toolsListChanged: true }, { id: 'one' });
    await server.app.close();
    expect(await stream.next()).toMatchObject({ id: 'one', result: { resultType: 'complete' } });
    expect(await stream.end()).toBe('ended');
    expect(server.logs).toContainEqual(
      expect.objectContaining({
        level: 'error',
        text: expect.stringContaining('the broker is gone') as string,
      }),
    );
  });

  it('ends every stream before the bus is left', async () => {
    let left!: () => void;
    const leaving = new Promise<void>((resolve) => (left = resolve));
    const bus = new (class extends SharedBus {
      override subscribe(): () => Promise<void> {
        return () => leaving;
      }
    })();
    await start({ mcp: { changeBus: { useFactory: () => bus } } });
    const stream = await subscribe({ toolsListChanged: true }, { id: 'one' });
    const closing = server.app.close();
    expect(await stream.next()).toMatchObject({ id: 'one', result: { resultType: 'complete' } });
    left();
    await closing;
  });

  it('serves the official client', async () => {
    await start();
    const client = await connect(server.url);
    const heard = new Promise<void>((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
    });
    const subscription = await client.listen({ toolsListChanged: true });
    notifier.toolsChanged();
    await heard;
    await subscription.close();
    await client.close();
  });
});
