import { Injectable, UnauthorizedException } from '@nestjs/common';
import {
  McpExchange,
  McpHandler,
  McpNotifier,
  McpPrompt,
  McpRegistry,
  McpResource,
  McpTool,
  McpVisibility,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { HeaderPrincipalSource } from '../support/header-principal.source.js';
import { type EventStream, listen } from '../support/event-stream.js';
import { SharedBus } from '../support/shared-bus.js';
import { startServer, type TestServer } from '../support/test-server.js';

const TENANT = 'tenants://acme/report';
const PUBLIC = 'tenants://all';

const acmeOnly = ({ principal }: McpExchange): boolean => principal === 'acme';

@Injectable()
class Tenants {
  @McpResource({ uri: PUBLIC })
  all(): string {
    return 'all of them';
  }

  @McpTool()
  count(): string {
    return 'one';
  }

  @McpPrompt()
  greet(): string {
    return 'Greet them';
  }

  @McpHandler()
  run(): string {
    return 'for Acme';
  }
}

@Injectable()
class AcmeOnly extends McpVisibility {
  override isVisible(_handler: unknown, exchange: McpExchange): boolean {
    return acmeOnly(exchange);
  }
}

const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

describe.each(adapters)('changes of what is hidden on %s', (_name, adapter) => {
  const servers: TestServer[] = [];
  const streams: EventStream[] = [];

  async function start(mcp: Parameters<typeof startServer>[0] & object = {}): Promise<TestServer> {
    const server = await startServer({
      adapter,
      providers: [Tenants],
      ...mcp,
      mcp: { principalSource: { useClass: HeaderPrincipalSource }, ...mcp.mcp },
    });
    servers.push(server);
    return server;
  }

  async function subscribe(
    server: TestServer,
    user: string,
    notifications: Record<string, unknown>,
  ): Promise<EventStream> {
    const stream = await listen(server.url, notifications, { headers: { 'x-user': user } });
    streams.push(stream);
    await stream.next();
    return stream;
  }

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    for (const server of servers.splice(0)) await server.close();
  });

  describe('a resource', () => {
    const filter = { resourceSubscriptions: [TENANT, PUBLIC] };

    it('of another instance is told to nobody by one that cannot say who may know of it', async () => {
      const bus = new SharedBus();
      const changeBus = { useFactory: () => bus };
      const one = await start({ mcp: { changeBus } });
      const two = await start({ mcp: { changeBus } });
      one.app.get(McpRegistry).addResource({ uri: TENANT, visible: acmeOnly }, Tenants, 'run');
      const acme = await subscribe(one, 'acme', filter);
      const eve = await subscribe(one, 'eve', filter);
      const evesOther = await subscribe(two, 'eve', filter);
      one.app.get(McpNotifier).resourceUpdated(TENANT);
      expect((await acme.next()).params).toMatchObject({ uri: TENANT });
      one.app.get(McpNotifier).resourceUpdated(PUBLIC);
      for (const stream of [acme, eve, evesOther]) {
        expect((await stream.next()).params).toMatchObject({ uri: PUBLIC });
        expect(stream.unread).toEqual([]);
      }
    });

    it('that has been removed is told to nobody', async () => {
      const server = await start();
      const registry = server.app.get(McpRegistry);
      const notifier = server.app.get(McpNotifier);
      registry.addResource({ uri: TENANT, visible: acmeOnly }, Tenants, 'run');
      const eve = await subscribe(server, 'eve', filter);
      registry.removeResource(TENANT);
      notifier.resourceUpdated(TENANT);
      notifier.resourceUpdated(PUBLIC);
      expect((await eve.next()).params).toMatchObject({ uri: PUBLIC });
      expect(eve.unread).toEqual([]);
    });
  });

  describe('a list', () => {
    const changes: [string, (registry: McpRegistry) => void, (registry: McpRegistry) => void][] = [
      [
        'tools',
        (registry) => registry.addTool({ name: 'hidden', visible: acmeOnly }, Tenants, 'run'),
        (registry) => registry.removeTool('hidden'),
      ],
      [
        'prompts',
        (registry) => registry.addPrompt({ name: 'hidden', visible: acmeOnly }, Tenants, 'run'),
        (registry) => registry.removePrompt('hidden'),
      ],
      [
        'resources',
        (registry) => registry.addResource({ uri: TENANT, visible: acmeOnly }, Tenants, 'run'),
        (registry) => registry.removeResource(TENANT),
      ],
      [
        'resources',
        (registry) =>
          registry.addResource({ uriTemplate: 'x://{y}', visible: AcmeOnly }, Tenants, 'run'),
        (registry) => registry.removeResource('x://{y}'),
      ],
    ];

    it.each(changes)('of %s tells those only who may know', async (list, add, remove) => {
      const server = await start({ providers: [Tenants, AcmeOnly] });
      const registry = server.app.get(McpRegistry);
      const acme = await subscribe(server, 'acme', LISTS);
      const eve = await subscribe(server, 'eve', { ...LISTS, resourceSubscriptions: [PUBLIC] });
      for (const change of [add, remove]) {
        change(registry);
        expect((await acme.next()).method).toBe(`notifications/${list}/list_changed`);
      }
      server.app.get(McpNotifier).resourceUpdated(PUBLIC);
      expect((await eve.next()).method).toBe('notifications/resources/updated');
      expect([acme.unread, eve.unread]).toEqual([[], []]);
    });

    it('tells those only who may know by the rule of the whole server', async () => {
      const server = await start({ mcp: { visibility: { useClass: AcmeOnly } } });
      const acme = await subscribe(server, 'acme', LISTS);
      const eve = await subscribe(server, 'eve', LISTS);
      server.app.get(McpRegistry).addTool({ name: 'hidden' }, Tenants, 'run');
      expect((await acme.next()).method).toBe('notifications/tools/list_changed');
      // What the application announces by itself is for everybody.
      server.app.get(McpNotifier).promptsChanged();
      expect((await eve.next()).method).toBe('notifications/prompts/list_changed');
      expect(eve.unread).toEqual([]);
    });

    it('that changes several times in a turn is told of once', async () => {
      const server = await start();
      const registry = server.app.get(McpRegistry);
      const acme = await subscribe(server, 'acme', LISTS);
      const eve = await subscribe(server, 'eve', LISTS);
      registry.addTool({ name: 'locked', visible: () => false }, Tenants, 'run');
      registry.addTool({ name: 'hidden', visible: acmeOnly }, Tenants, 'run');
      registry.addTool({ name: 'open' }, Tenants, 'run');
      registry.addPrompt({ name: 'locked', visible: () => false }, Tenants, 'run');
      registry.addPrompt({ name: 'hidden', visible: acmeOnly }, Tenants, 'run');
      registry.addPrompt({ name: 'again', visible: acmeOnly }, Tenants, 'run');
      expect([(await acme.next()).method, (await acme.next()).method].sort()).toEqual([
        'notifications/prompts/list_changed',
        'notifications/tools/list_changed',
      ]);
      expect((await eve.next()).method).toBe('notifications/tools/list_changed');
      registry.removeTool('open');
      expect((await acme.next()).method).toBe('notifications/tools/list_changed');
      expect((await eve.next()).method).toBe('notifications/tools/list_changed');
      expect([acme.unread, eve.unread]).toEqual([[], []]);
    });

    it('tells nothing where it cannot be decided, and logs why', async () => {
      const server = await start();
      const registry = server.app.get(McpRegistry);
      const eve = await subscribe(server, 'eve', LISTS);
      const broken = (): boolean => {
        throw new Error('the directory is down');
      };
      const refusing = (): boolean => {
        throw new UnauthorizedException('Log in again.');
      };
      registry.addTool({ name: 'broken', visible: broken }, Tenants, 'run');
      registry.addPrompt({ name: 'refusing', visible: refusing }, Tenants, 'run');
      registry.addResource({ uri: TENANT }, Tenants, 'run');
      expect((await eve.next()).method).toBe('notifications/resources/list_changed');
      registry.removeResource(TENANT);
      expect((await eve.next()).method).toBe('notifications/resources/list_changed');
      expect(eve.unread).toEqual([]);
      const errors = server.logs.filter(({ level }) => level === 'error');
      expect(errors).toHaveLength(1);
      expect(errors[0]?.text).toContain('the directory is down');
    });
  });
});
