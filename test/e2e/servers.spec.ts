import {
  type CanActivate,
  Controller,
  type DynamicModule,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type Type,
  UseGuards,
} from '@nestjs/common';
import {
  getMcpNotifierToken,
  getMcpRegistryToken,
  InjectMcpNotifier,
  InjectMcpRegistry,
  McpContext,
  McpExchange,
  McpExecutionContext,
  McpHandler,
  McpModule,
  McpNotifier,
  McpPrincipal,
  McpPrincipalSource,
  McpPrompt,
  McpRegistry,
  McpResource,
  McpServer,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { type EventStream, listen } from '../support/event-stream.js';
import { connect } from '../support/official-client.js';
import {
  SECRET,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

async function confirm(ctx: McpToolContext): Promise<string> {
  const { action } = await ctx.elicit('Sure?', (form) => form.boolean('sure'));
  return `${ctx.handlerName}: ${action}`;
}

@Injectable()
class PublicTools {
  @McpTool()
  search(): string {
    return 'found';
  }

  @McpTool()
  confirm(@McpContext() ctx: McpToolContext): Promise<string> {
    return confirm(ctx);
  }
}

@Injectable()
@McpServer('admin')
class AdminTools {
  constructor(
    @InjectMcpNotifier('admin') readonly notifier: McpNotifier,
    @InjectMcpRegistry('admin') readonly registry: McpRegistry,
  ) {}

  @McpTool()
  erase(@McpPrincipal() who: string | null): string {
    return `erased by ${who}`;
  }

  /** The same name as a tool of the other server. */
  @McpTool()
  confirm(@McpContext() ctx: McpToolContext): Promise<string> {
    return confirm(ctx);
  }

  @McpPrompt()
  audit(): string {
    return 'Audit it';
  }

  @McpResource({ uri: 'logs://all' })
  logs(): string {
    return 'secret lines';
  }

  @McpHandler()
  added(): string {
    return 'added';
  }
}

@Injectable()
@McpServer('admin', 'default')
class SharedTools {
  @McpTool()
  ping(): string {
    return 'pong';
  }
}

class RootGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return McpExecutionContext.create(context).getExchange().headers['x-root'] === 'yes';
  }
}

@Controller('reports')
@McpServer('admin')
@UseGuards(RootGuard)
class ReportController {
  @Get()
  list(): string {
    return 'over plain HTTP';
  }

  @McpTool()
  report(): string {
    return 'over MCP';
  }
}

@Injectable()
class FeatureTools {
  @McpTool()
  feature(): string {
    return 'by its module';
  }
}

@Injectable()
@McpServer('default')
class OutrankingTools {
  @McpTool()
  outranks(): string {
    return 'by its class';
  }
}

@Module({
  imports: [McpModule.forFeature('admin')],
  providers: [FeatureTools, OutrankingTools],
})
class FeatureModule {}

@Injectable()
class AdminPrincipalSource extends McpPrincipalSource {
  override currentPrincipal(exchange: McpExchange): string | null {
    return `admin:${String(exchange.headers['x-user'])}`;
  }
}

const admin = (options: Partial<Parameters<typeof McpModule.forRoot>[0]> = {}): DynamicModule =>
  McpModule.forRoot({
    name: 'admin',
    path: '/admin/mcp',
    server: { name: 'test', version: '1.0.0' },
    replay: { secret: SECRET },
    principalSource: { useClass: AdminPrincipalSource },
    ...options,
  });

describe.each(adapters)('two servers in one application on %s', (_name, adapter) => {
  let server: TestServer;
  let adminUrl: string;
  const streams: EventStream[] = [];

  beforeAll(async () => {
    server = await startServer({
      adapter,
      imports: [admin(), FeatureModule],
      providers: [PublicTools, AdminTools, SharedTools],
      controllers: [ReportController],
    });
    adminUrl = server.url.replace(/\/mcp$/, '/admin/mcp');
  });

  afterAll(async () => {
    for (const stream of streams) stream.close();
    await server.close();
  });

  async function names(url: string, method: string, member: string): Promise<unknown[]> {
    const items = resultOf(await send(url, method))[member] as { name: string }[];
    return items.map(({ name }) => name).sort();
  }

  it('keeps their lists apart', async () => {
    expect(await names(server.url, 'tools/list', 'tools')).toEqual([
      'confirm',
      'outranks',
      'ping',
      'search',
    ]);
    expect(await names(adminUrl, 'tools/list', 'tools')).toEqual([
      'confirm',
      'erase',
      'feature',
      'ping',
      'report',
    ]);
    expect(await names(server.url, 'prompts/list', 'prompts')).toEqual([]);
    expect(await names(adminUrl, 'prompts/list', 'prompts')).toEqual(['audit']);
    expect(await names(server.url, 'resources/list', 'resources')).toEqual([]);
    expect(await names(adminUrl, 'resources/list', 'resources')).toEqual(['logs']);
  });

  it('answers a call of the other one like a call of nothing', async () => {
    expect(errorOf(await callTool(server.url, 'erase'))).toEqual({
      code: -32602,
      message: errorOf(await callTool(server.url, 'nothing')).message.replace('nothing', 'erase'),
    });
    const uri = 'logs://all';
    expect(errorOf(await send(server.url, 'resources/read', { uri })).code).toBe(-32602);
    expect(errorOf(await send(server.url, 'prompts/get', { name: 'audit' })).code).toBe(-32602);
    expect(errorOf(await callTool(adminUrl, 'search')).code).toBe(-32602);
  });

  it('tells each client what there is on its server', async () => {
    const capabilities = async (url: string): Promise<unknown> =>
      resultOf(await send(url, 'server/discover'))['capabilities'];
    expect(Object.keys((await capabilities(server.url)) as object).sort()).toEqual([
      'logging',
      'tools',
    ]);
    expect(Object.keys((await capabilities(adminUrl)) as object).sort()).toEqual([
      'logging',
      'prompts',
      'resources',
      'tools',
    ]);
  });

  it('asks the principal source of each', async () => {
    const headers = { 'x-user': 'ada' };
    expect(textOf(await callTool(adminUrl, 'erase', {}, {}, { headers }))).toBe(
      'erased by admin:ada',
    );
  });

  it('takes no token of the other, though name, tool, key and secret are the same', async () => {
    const answers = (requestState: string): Record<string, unknown> => ({
      requestState,
      inputResponses: { 'elicit-1': { action: 'decline' } },
    });
    const ofDefault = stateOf(await callTool(server.url, 'confirm'));
    const ofAdmin = stateOf(await callTool(adminUrl, 'confirm'));
    expect(errorOf(await callTool(adminUrl, 'confirm', {}, answers(ofDefault))).data).toMatchObject(
      { reason: 'state_tampered' },
    );
    expect(errorOf(await callTool(server.url, 'confirm', {}, answers(ofAdmin))).data).toMatchObject(
      { reason: 'state_tampered' },
    );
    expect(textOf(await callTool(adminUrl, 'confirm', {}, answers(ofAdmin)))).toBe(
      'confirm: decline',
    );
    expect(textOf(await callTool(server.url, 'confirm', {}, answers(ofDefault)))).toBe(
      'confirm: decline',
    );
  });

  it('tells subscribers of their own server only', async () => {
    const ofDefault = await listen(server.url, { toolsListChanged: true });
    const ofAdmin = await listen(adminUrl, { toolsListChanged: true });
    streams.push(ofDefault, ofAdmin);
    await ofDefault.next();
    await ofAdmin.next();
    const { notifier } = server.app.get(AdminTools);
    expect(server.app.get(getMcpNotifierToken('admin'))).toBe(notifier);
    notifier.toolsChanged();
    await ofAdmin.next();
    server.app.get(getMcpNotifierToken()).toolsChanged();
    await ofDefault.next();
    expect([ofAdmin.unread, ofDefault.unread]).toEqual([[], []]);
  });

  it('adds at run time to the server whose registry was asked', async () => {
    const { registry } = server.app.get(AdminTools);
    expect(server.app.get(getMcpRegistryToken('admin'))).toBe(registry);
    registry.addTool({ name: 'added' }, AdminTools, 'added');
    expect(textOf(await callTool(adminUrl, 'added'))).toBe('added');
    expect(errorOf(await callTool(server.url, 'added')).code).toBe(-32602);
    registry.removeTool('added');
  });

  it('runs the guards of a controller, which serves plain HTTP too', async () => {
    const headers = { 'x-root': 'yes' };
    expect(textOf(await callTool(adminUrl, 'report', {}, {}, { headers }))).toBe('over MCP');
    expect((await callTool(adminUrl, 'report')).text).not.toContain('over MCP');
  });

  it('serves the official client on both', async () => {
    for (const [url, tool] of [
      [server.url, 'search'],
      [adminUrl, 'feature'],
    ] as const) {
      const client = await connect(url);
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain(tool);
      await client.callTool({ name: tool, arguments: {} });
      await client.close();
    }
  });

  it('says in the log what each has found', () => {
    const lines = server.logs.map(({ text }) => text);
    expect(lines).toContainEqual(expect.stringMatching(/^Found 4 tools, 0 prompts/));
    expect(lines).toContainEqual(expect.stringMatching(/^Server admin: Found 5 tools, 1 prompt/));
  });
});

describe('several servers stop the boot', () => {
  async function refusal(
    imports: (DynamicModule | Type)[],
    providers: Type[] = [],
    options: TestServerOptions = {},
  ): Promise<string> {
    try {
      const server = await startServer({ imports, providers, ...options });
      await server.close();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('it booted');
  }

  it('that have the same path', async () => {
    expect(await refusal([admin({ path: '/mcp' })])).toMatch(
      /path "\/mcp" is that of 2 servers: .*Give each a path of its own/,
    );
  });

  it.each(adapters)('whose paths are one to Express, on %s too', async (_, adapter) => {
    expect(await refusal([admin({ path: '/MCP' })], [], { adapter })).toMatch(
      /path "\/mcp" is that of 2 servers: .*admin \("\/MCP"\).*upper and lower case do not/,
    );
  });

  it.each(adapters)('whose paths are one under the prefix on %s', async (_, adapter) => {
    const configure = (app: INestApplication): void => void app.setGlobalPrefix('api');
    const mcp = { http: { useGlobalPrefix: true } };
    expect(await refusal([admin({ path: '/api/mcp' })], [], { adapter, mcp, configure })).toMatch(
      /path "\/api\/mcp" is that of 2 servers/,
    );
  });

  it('that have the same name', async () => {
    expect(await refusal([admin(), admin({ path: '/other' })])).toMatch(
      /name "admin" is that of 2 servers.*give each a name and a path/,
    );
  });

  it('whose name cannot be one', async () => {
    expect(await refusal([admin({ name: 'my admin' })])).toMatch(
      /name is "my admin"\. Use 1 to 64/,
    );
  });

  it('for a handler that is assigned to none of them', async () => {
    @Injectable()
    @McpServer('amdin')
    class Lost {
      @McpTool()
      lost(): string {
        return 'lost';
      }
    }
    expect(await refusal([admin()], [Lost])).toMatch(
      /Lost\.lost: it is assigned to the server "amdin", and there are only: .*admin/,
    );
  });
});

describe('servers that all have a name', () => {
  it('want every handler assigned', async () => {
    await expect(
      startServer({
        mcp: { name: 'front' },
        imports: [admin()],
        providers: [PublicTools],
      }),
    ).rejects.toThrow(
      /PublicTools\.search: nothing says which of the servers it belongs to: .*Decorate the class with @McpServer/,
    );
  });

  it('serve what is not assigned when there is only one', async () => {
    const server = await startServer({ mcp: { name: 'front' }, providers: [PublicTools] });
    expect(textOf(await callTool(server.url, 'search'))).toBe('found');
    await server.close();
  });
});
