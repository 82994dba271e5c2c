import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { type CanActivate, type INestApplication, Injectable, UseGuards } from '@nestjs/common';
import {
  type McpChange,
  McpChangeBus,
  McpClientLog,
  McpElicitor,
  McpHandler,
  McpNotifier,
  McpRegistry,
  McpResource,
  McpTool,
  OutsideHandlerException,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { EventStream, listen } from '../support/event-stream.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, eventsOf, send, textOf } from '../support/wire.js';

/** What a library such as nestjs-cls keeps of a request. */
const users = new AsyncLocalStorage<string>();
/** Tells that the guard has been asked. */
const guard = new EventEmitter();

@Injectable()
class AdminsOnly implements CanActivate {
  constructor(private readonly log: McpClientLog) {}

  canActivate(): boolean {
    const user = users.getStore();
    this.log.info(`The guard saw ${user}.`);
    guard.emit('asked');
    return user === 'admin';
  }
}

@Injectable()
class Audit {
  constructor(
    private readonly notifier: McpNotifier,
    private readonly registry: McpRegistry,
  ) {}

  @McpResource({ uri: 'audit://open' })
  open(): string {
    return 'for everybody';
  }

  @McpResource({ uri: 'audit://all' })
  @UseGuards(AdminsOnly)
  all(): string {
    return 'for admins';
  }

  /** Does not end before the guard of the subscriber has been asked. */
  @McpTool()
  async touch(): Promise<string | undefined> {
    const asked = once(guard, 'asked');
    this.notifier.resourceUpdated('audit://all');
    await asked;
    return users.getStore();
  }

  @McpTool()
  touchOpen(): void {
    this.notifier.resourceUpdated('audit://open');
  }

  @McpTool()
  offer(): void {
    const visible = (): boolean => users.getStore() === 'admin';
    this.registry.addTool({ name: 'offered', visible }, Audit, 'offered');
  }

  @McpTool()
  withdraw(): void {
    this.registry.removeTool('offered');
  }

  @McpHandler()
  offered(): string {
    return 'here it is';
  }
}

/** Asks in the name of whatever handler it believes to be running. */
@Injectable()
class AskingBus extends McpChangeBus {
  readonly found: unknown[] = [];
  private listener: (change: McpChange) => void = () => undefined;

  constructor(private readonly elicitor: McpElicitor) {
    super();
  }

  override async publish(change: McpChange): Promise<void> {
    this.found.push(users.getStore());
    const ask = async (): Promise<unknown> =>
      this.elicitor.elicit('Which broker?', (form) => form.string('name'));
    this.found.push(await ask().catch((error: unknown) => error));
    this.listener(change);
  }

  override subscribe(listener: (change: McpChange) => void): () => void {
    this.listener = listener;
    return () => undefined;
  }
}

const as = (user: string): { headers: Record<string, string> } => ({ headers: { 'x-user': user } });

describe.each(adapters)('the context of a change on %s', (_name, adapter) => {
  let server: TestServer;
  const streams: EventStream[] = [];

  /** As an application does that keeps the user of a request. */
  function configure(app: INestApplication): void {
    app.use((request: { headers: Record<string, string> }, _response: unknown, next: () => void) =>
      users.run(request.headers['x-user'] ?? 'nobody', next),
    );
  }

  async function start(options: Parameters<typeof startServer>[0] = {}): Promise<void> {
    server = await startServer({ adapter, providers: [Audit, AdminsOnly], configure, ...options });
  }

  async function subscribe(
    user: string,
    notifications: Record<string, unknown>,
  ): Promise<EventStream> {
    const stream = await listen(server.url, notifications, as(user));
    streams.push(stream);
    await stream.next();
    return stream;
  }

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await server.close();
  });

  it('is, for the guards that decide, the one of the subscriber', async () => {
    await start();
    const uris = { resourceSubscriptions: ['audit://open', 'audit://all'] };
    const bob = await subscribe('bob', uris);
    const read = await send(server.url, 'resources/read', { uri: 'audit://all' }, as('bob'));
    expect(errorOf(read).code).toBe(403);
    expect(textOf(await callTool(server.url, 'touch', {}, {}, as('admin')))).toBe('admin');
    await callTool(server.url, 'touchOpen', {}, {}, as('admin'));
    expect((await bob.next()).params).toMatchObject({ uri: 'audit://open' });
    expect(bob.unread).toEqual([]);
    bob.close();

    const admin = await subscribe('admin', uris);
    expect(textOf(await callTool(server.url, 'touch', {}, {}, as('bob')))).toBe('bob');
    expect((await admin.next()).params).toMatchObject({ uri: 'audit://all' });
  });

  it('is, for the rules that hide a handler, the one of the subscriber', async () => {
    await start();
    const filter = { toolsListChanged: true, resourceSubscriptions: ['audit://open'] };
    const bob = await subscribe('bob', filter);
    const admin = await subscribe('admin', filter);
    await callTool(server.url, 'offer', {}, {}, as('admin'));
    expect((await admin.next()).method).toBe('notifications/tools/list_changed');
    await callTool(server.url, 'withdraw', {}, {}, as('bob'));
    expect((await admin.next()).method).toBe('notifications/tools/list_changed');
    await callTool(server.url, 'touchOpen', {}, {}, as('admin'));
    expect((await bob.next()).method).toBe('notifications/resources/updated');
    expect(bob.unread).toEqual([]);
  });

  it('lets nothing that is said on behalf of a subscriber reach the call that caused it', async () => {
    await start();
    await subscribe('bob', { resourceSubscriptions: ['audit://all'] });
    const response = await callTool(
      server.url,
      'touch',
      {},
      {},
      { ...as('admin'), meta: { 'io.modelcontextprotocol/logLevel': 'debug' } },
    );
    expect(eventsOf(response)).toEqual([]);
    expect(textOf(response)).toBe('admin');
  });

  it('is, for the bus, nobody’s', async () => {
    await start({ mcp: { changeBus: { useClass: AskingBus } } });
    const bob = await subscribe('bob', { resourceSubscriptions: ['audit://open'] });
    await callTool(server.url, 'touchOpen', {}, {}, as('admin'));
    await bob.next();
    const { found } = server.app.get<AskingBus>(McpChangeBus, { strict: false });
    expect(found).toEqual([undefined, expect.any(OutsideHandlerException)]);
  });
});
