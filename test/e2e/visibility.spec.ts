import {
  type CanActivate,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import {
  McpArg,
  McpContext,
  McpExchange,
  type McpHandlerInfo,
  McpPrompt,
  McpRegistry,
  McpHandler,
  McpResource,
  McpTool,
  McpToolContext,
  McpVisibility,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { HeaderPrincipalSource } from '../support/header-principal.source.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

const ADMINS = new Set(['ada', 'root']);

/** What the server said of a handler, and to whom. */
let asked: string[];
let guarded: string[];

class WitnessGuard implements CanActivate {
  canActivate(): boolean {
    guarded.push('guard');
    throw new ForbiddenException('Not you.');
  }
}

@Injectable()
class AdminsOnly extends McpVisibility {
  override async isVisible(
    { kind, name }: McpHandlerInfo,
    exchange: McpExchange,
  ): Promise<boolean> {
    asked.push(`${kind} ${name} for ${exchange.principal}`);
    await Promise.resolve();
    return ADMINS.has(exchange.principal ?? '');
  }
}

const brokenRule = (): boolean => {
  throw new Error('the directory is down');
};

const loginRule = ({ principal }: McpExchange): boolean => {
  if (principal === 'expired') throw new UnauthorizedException('Log in again.');
  return principal !== null;
};

@Injectable()
class Handlers {
  @McpTool()
  open(): string {
    return 'open';
  }

  @McpTool({ visible: AdminsOnly })
  async erase(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('Sure?', (form) => form.boolean('sure'));
    return action;
  }

  @McpTool({ visible: AdminsOnly })
  @UseGuards(WitnessGuard)
  guarded(): string {
    return 'never';
  }

  @McpTool({ visible: brokenRule })
  broken(): string {
    return 'never';
  }

  @McpTool({ visible: ({ client }) => client.supports('sampling') })
  samples(): string {
    return 'for clients that sample';
  }

  @McpPrompt({ visible: AdminsOnly })
  audit(): string {
    return 'Audit it';
  }

  @McpResource({ uri: 'logs://all', visible: AdminsOnly })
  logs(): string {
    return 'secret lines';
  }

  @McpResource({ uriTemplate: 'logs://{day}', visible: AdminsOnly })
  logsOf(@McpArg('day') day: string): string {
    return `secret lines of ${day}`;
  }

  @McpHandler()
  late(): string {
    return 'came late';
  }
}

@Injectable()
class PlainHandlers {
  @McpTool()
  one(): string {
    return 'one';
  }

  @McpTool()
  two(): string {
    return 'two';
  }

  @McpTool({ visible: loginRule })
  three(): string {
    return 'three';
  }
}

const principalSource = { useClass: HeaderPrincipalSource };
const as = (user: string): { headers: Record<string, string> } => ({ headers: { 'x-user': user } });

describe.each(adapters)('visibility on %s', (_name, adapter) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({
      adapter,
      providers: [Handlers, AdminsOnly],
      mcp: { principalSource, lists: { pageSize: 2, cacheScope: 'public', ttlMs: 1_000 } },
    });
  });

  afterAll(() => server.close());

  beforeEach(() => {
    asked = [];
    guarded = [];
  });

  async function list(
    method: string,
    member: string,
    options: Parameters<typeof send>[3] = {},
  ): Promise<unknown[]> {
    const found: unknown[] = [];
    let cursor: unknown;
    do {
      const result = resultOf(
        await send(server.url, method, cursor === undefined ? {} : { cursor }, options),
      );
      expect(result).toMatchObject({ cacheScope: 'private', ttlMs: 1_000 });
      found.push(...(result[member] as { name: string }[]).map(({ name }) => name));
      cursor = result['nextCursor'];
    } while (cursor !== undefined);
    return found;
  }

  it('lists what the caller may know of, in private pages', async () => {
    expect(await list('tools/list', 'tools', as('eve'))).toEqual(['open']);
    expect(await list('tools/list', 'tools', as('ada'))).toEqual(['open', 'erase', 'guarded']);
    expect(await list('prompts/list', 'prompts', as('eve'))).toEqual([]);
    expect(await list('prompts/list', 'prompts', as('ada'))).toEqual(['audit']);
    expect(await list('resources/list', 'resources', as('eve'))).toEqual([]);
    expect(await list('resources/list', 'resources', as('ada'))).toEqual(['logs']);
    const templates = ['resources/templates/list', 'resourceTemplates'] as const;
    expect(await list(...templates, as('eve'))).toEqual([]);
    expect(await list(...templates, as('ada'))).toEqual(['logsOf']);
  });

  it('may follow what the client can do', async () => {
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } };
    expect(await list('tools/list', 'tools', { meta })).toEqual(['open', 'samples']);
  });

  it('tells the rule which handler it is about', async () => {
    await callTool(server.url, 'erase', {}, {}, as('ada'));
    await send(server.url, 'resources/read', { uri: 'logs://all' }, as('ada'));
    await send(server.url, 'resources/read', { uri: 'logs://monday' }, as('ada'));
    await send(server.url, 'prompts/get', { name: 'audit' }, as('ada'));
    expect(asked).toEqual([
      'tool erase for ada',
      'resource logs://all for ada',
      'resource template logs://{day} for ada',
      'prompt audit for ada',
    ]);
  });

  it.each(['erase', 'guarded', 'broken'])(
    'answers a call of the hidden tool %s like one of nothing',
    async (name) => {
      const unknown = await callTool(server.url, 'x'.repeat(name.length), {}, {}, as('eve'));
      const hidden = await callTool(server.url, name, {}, {}, as('eve'));
      expect(hidden.status).toBe(unknown.status);
      expect(hidden.text).toBe(unknown.text.replaceAll('x'.repeat(name.length), name));
      expect([...hidden.headers.keys()]).toEqual([...unknown.headers.keys()]);
      expect(guarded).toEqual([]);
    },
  );

  it('answers a hidden tool like nothing also when a token or bad arguments come with it', async () => {
    const requestState = stateOf(await callTool(server.url, 'erase', {}, {}, as('ada')));
    const rest = { requestState, inputResponses: { 'elicit-1': { action: 'decline' } } };
    for (const [args, more] of [
      [{}, rest],
      [{ surplus: 1 }, {}],
      [{}, { inputResponses: { nonsense: {} } }],
    ] as const) {
      const hidden = await callTool(server.url, 'erase', args, more, as('eve'));
      const unknown = await callTool(server.url, 'nixda', args, more, as('eve'));
      expect(hidden.text).toBe(unknown.text.replaceAll('nixda', 'erase'));
      expect(hidden.status).toBe(unknown.status);
    }
    expect(textOf(await callTool(server.url, 'erase', {}, rest, as('ada')))).toBe('decline');
  });

  it('hides from a caller mid-conversation who has lost the right', async () => {
    ADMINS.add('tim');
    const requestState = stateOf(await callTool(server.url, 'erase', {}, {}, as('tim')));
    ADMINS.delete('tim');
    const rest = { requestState, inputResponses: { 'elicit-1': { action: 'decline' } } };
    expect(errorOf(await callTool(server.url, 'erase', {}, rest, as('tim'))).code).toBe(-32602);
  });

  it('answers hidden prompts and resources like nothing', async () => {
    const cases = [
      ['prompts/get', 'name', 'audit', 'xxxxx'],
      ['resources/read', 'uri', 'logs://all', 'gone://all'],
      ['resources/read', 'uri', 'logs://monday', 'gone://monday'],
    ] as const;
    for (const [method, key, hiddenOne, absent] of cases) {
      const hidden = await send(server.url, method, { [key]: hiddenOne }, as('eve'));
      const unknown = await send(server.url, method, { [key]: absent }, as('eve'));
      expect(hidden.text).toBe(unknown.text.replaceAll(absent, hiddenOne));
      expect(hidden.status).toBe(unknown.status);
      expect((await send(server.url, method, { [key]: hiddenOne }, as('ada'))).status).toBe(200);
    }
  });

  it('gives cursors that tell nothing of what is hidden', async () => {
    const page = async (user: string, cursor?: unknown): Promise<ReturnType<typeof resultOf>> =>
      resultOf(
        await send(server.url, 'tools/list', cursor === undefined ? {} : { cursor }, as(user)),
      );
    expect((await page('eve'))['nextCursor']).toBeUndefined();
    const cursor = (await page('ada'))['nextCursor'];
    expect(cursor).toBeDefined();
    expect((await page('root', cursor))['tools']).toMatchObject([{ name: 'guarded' }]);
    // What Ada's cursor points at is not there for Eve, whatever it is.
    const foreign = await send(server.url, 'tools/list', { cursor }, as('eve'));
    const madeUp = await send(server.url, 'tools/list', { cursor: 'bm9wZQ' }, as('eve'));
    expect(errorOf(foreign).code).toBe(-32602);
    expect(foreign.text).toBe(madeUp.text.replaceAll('bm9wZQ', String(cursor)));
  });

  it('hides what cannot be decided, and logs why', async () => {
    expect(errorOf(await callTool(server.url, 'broken', {}, {}, as('ada'))).code).toBe(-32602);
    expect(server.logs).toContainEqual(
      expect.objectContaining({
        level: 'error',
        text: expect.stringContaining('the directory is down') as string,
      }),
    );
  });

  it('holds for handlers that come later', async () => {
    const registry = server.app.get(McpRegistry);
    registry.addTool({ name: 'late', visible: AdminsOnly }, Handlers, 'late');
    expect(await list('tools/list', 'tools', as('eve'))).toEqual(['open']);
    expect(textOf(await callTool(server.url, 'late', {}, {}, as('ada')))).toBe('came late');
    expect(errorOf(await callTool(server.url, 'late', {}, {}, as('eve'))).code).toBe(-32602);
    registry.removeTool('late');
  });
});

describe('visibility of a whole server', () => {
  it('is asked for every handler, before the one of the handler itself', async () => {
    asked = [];
    const server = await startServer({
      providers: [PlainHandlers],
      mcp: { principalSource, visibility: { useClass: AdminsOnly } },
    });
    const names = async (user: string): Promise<unknown> =>
      (
        resultOf(await send(server.url, 'tools/list', {}, as(user)))['tools'] as { name: string }[]
      ).map(({ name }) => name);
    expect(await names('eve')).toEqual([]);
    expect(await names('root')).toEqual(['one', 'two', 'three']);
    expect(asked).toContain('tool two for eve');
    expect(errorOf(await callTool(server.url, 'one', {}, {}, as('eve'))).code).toBe(-32602);
    expect(textOf(await callTool(server.url, 'one', {}, {}, as('ada')))).toBe('one');
    await server.close();
  });

  it('belongs to its own server', async () => {
    const server = await startServer({
      providers: [PlainHandlers],
      mcp: { principalSource },
    });
    const { tools, cacheScope } = resultOf(await send(server.url, 'tools/list', {}, as('eve')));
    expect(tools).toHaveLength(3);
    expect(cacheScope).toBe('private');
    await server.close();
  });

  it('tells a caller what an HttpException says', async () => {
    const server = await startServer({ providers: [PlainHandlers], mcp: { principalSource } });
    const response = await send(server.url, 'tools/list', {}, as('expired'));
    expect(response.status).toBe(401);
    expect(errorOf(response).message).toContain('Log in again.');
    await server.close();
  });

  it('leaves lists public where nothing can be hidden', async () => {
    @Injectable()
    class Open {
      @McpTool()
      one(): string {
        return 'one';
      }
    }
    const server = await startServer({ providers: [Open], mcp: { principalSource } });
    expect(resultOf(await send(server.url, 'tools/list'))['cacheScope']).toBe('public');
    await server.close();
  });

  it('must be a provider', async () => {
    await expect(startServer({ providers: [Handlers] })).rejects.toThrow(
      /Handlers\.erase: its visibility AdminsOnly cannot be had: .*Add it to the providers/s,
    );
  });
});
