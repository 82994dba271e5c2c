import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  Scope,
  UseGuards,
} from '@nestjs/common';
import {
  McpArg,
  McpArgs,
  McpContext,
  McpExecutionContext,
  McpHandler,
  McpPrompt,
  McpRegistry,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { IsInt } from 'class-validator';
import { adapters } from '../support/adapters.js';
import { type EventStream, listen } from '../support/event-stream.js';
import { collectGarbage } from '../support/garbage.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

@Injectable()
class NoEvesGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const exchange = McpExecutionContext.create(context).getExchange();
    if (exchange.headers['x-user'] === 'eve') throw new ForbiddenException('Not Eve.');
    return true;
  }
}

class SumArgs {
  @IsInt()
  a!: number;

  @IsInt()
  b!: number;
}

const TITLED = { type: 'object', properties: { title: { type: 'string' } } } as const;

@Injectable()
class Reports {
  @McpTool()
  standing(): string {
    return 'was there from the start';
  }

  @McpHandler()
  @UseGuards(NoEvesGuard)
  async run(@McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('Which year?', (form) => form.integer('year'));
    return answer.action === 'accept'
      ? `${ctx.handlerName} of ${answer.content.year}`
      : 'no report';
  }

  @McpHandler()
  titled(@McpArg('title', { complete: ['Annual'] }) title: string): string {
    return title;
  }

  @McpHandler()
  sum(@McpArgs() { a, b }: SumArgs): number {
    return a + b;
  }

  @McpHandler()
  greet(@McpArg('name') name: string): string {
    return `Greet ${name}`;
  }

  @McpHandler()
  front(): string {
    return 'the front page';
  }

  @McpHandler()
  page(@McpArg('slug') slug: string): string {
    return slug;
  }

  notOne(): string {
    return 'no handler';
  }
}

@Injectable({ scope: Scope.REQUEST })
class Scoped {
  private calls = 0;

  @McpHandler()
  count(): number {
    return ++this.calls;
  }
}

class Homeless {
  @McpHandler()
  run(): string {
    return 'nowhere';
  }
}

describe.each(adapters)('handlers that come and go on %s', (_name, adapter) => {
  let server: TestServer;
  let registry: McpRegistry;
  const streams: EventStream[] = [];

  beforeEach(async () => {
    server = await startServer({ adapter, providers: [Reports, Scoped] });
    registry = server.app.get(McpRegistry);
  });

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await server.close();
  });

  async function names(method: string, member: string, key: string): Promise<unknown[]> {
    const items = resultOf(await send(server.url, method))[member];
    return (items as Record<string, unknown>[]).map((item) => item[key]);
  }

  const tools = (): Promise<unknown[]> => names('tools/list', 'tools', 'name');

  it('serves a tool from the moment it is added until it is removed', async () => {
    expect(await tools()).toEqual(['standing']);
    registry.addTool({ name: 'sum', description: 'Adds' }, Reports, 'sum');
    expect(await tools()).toEqual(['standing', 'sum']);
    expect(textOf(await callTool(server.url, 'sum', { a: 1, b: 2 }))).toBe('3');
    const refused = resultOf(await callTool(server.url, 'sum', { a: 'one', b: 2 }));
    expect(refused.isError).toBe(true);
    expect(registry.removeTool('sum')).toBe(true);
    expect(registry.removeTool('sum')).toBe(false);
    expect(await tools()).toEqual(['standing']);
    expect(errorOf(await callTool(server.url, 'sum', { a: 1, b: 2 })).code).toBe(-32602);
  });

  /** Adds a tool, calls it and removes it; a part of its schema is left to look for. */
  async function comeAndGo(n: number): Promise<WeakRef<object>> {
    const kinds = [`kind ${n}`];
    const properties = { kind: { enum: kinds }, a: { pattern: `^${n}` } };
    registry.addTool({ name: 'odd', input: { type: 'object', properties } }, Reports, 'front');
    expect(textOf(await callTool(server.url, 'odd', { kind: `kind ${n}` }))).toBe('the front page');
    registry.removeTool('odd');
    return new WeakRef(kinds);
  }

  it('keeps nothing of what it has removed', async () => {
    const traces: WeakRef<object>[] = [];
    for (let n = 0; n < 20; n += 1) traces.push(await comeAndGo(n));
    expect(await tools()).toEqual(['standing']);
    await collectGarbage(traces);
    expect(traces.filter((trace) => trace.deref() !== undefined)).toEqual([]);
  });

  it('removes what was there from the start', async () => {
    expect(registry.removeTool('standing')).toBe(true);
    expect(await tools()).toEqual([]);
  });

  it('lets one method serve many names, each with its guards, asks and schema', async () => {
    registry.addTool({ name: 'sales' }, Reports, 'run');
    registry.addTool({ name: 'taxes' }, Reports, 'run');
    const denied = await callTool(server.url, 'sales', {}, {}, { headers: { 'x-user': 'eve' } });
    expect(JSON.stringify(denied.body)).toContain('Not Eve.');
    const requestState = stateOf(await callTool(server.url, 'taxes'));
    const answers = {
      requestState,
      inputResponses: { 'elicit-1': { action: 'accept', content: { year: 2025 } } },
    };
    expect(textOf(await callTool(server.url, 'taxes', {}, answers))).toBe('taxes of 2025');
    // A token is for the name it was made for.
    expect(errorOf(await callTool(server.url, 'sales', {}, answers)).data).toMatchObject({
      reason: 'target_mismatch',
    });
  });

  it('keeps a conversation with a tool that goes and comes back', async () => {
    registry.addTool({ name: 'sales' }, Reports, 'run');
    const requestState = stateOf(await callTool(server.url, 'sales'));
    registry.removeTool('sales');
    const answers = {
      requestState,
      inputResponses: { 'elicit-1': { action: 'accept', content: { year: 1 } } },
    };
    expect(errorOf(await callTool(server.url, 'sales', {}, answers)).message).toContain('sales');
    registry.addTool({ name: 'sales' }, Reports, 'run');
    expect(textOf(await callTool(server.url, 'sales', {}, answers))).toBe('sales of 1');
  });

  it('makes a request-scoped provider anew for each call', async () => {
    registry.addTool({ name: 'count' }, Scoped, 'count');
    expect(textOf(await callTool(server.url, 'count'))).toBe('1');
    expect(textOf(await callTool(server.url, 'count'))).toBe('1');
  });

  it('serves prompts, resources and templates that were added', async () => {
    registry.addPrompt({ name: 'greet' }, Reports, 'greet');
    registry.addResource({ uri: 'pages://front' }, Reports, 'front');
    registry.addResource({ uriTemplate: 'pages://all/{slug}' }, Reports, 'page');
    expect(await names('prompts/list', 'prompts', 'name')).toEqual(['greet']);
    expect(await names('resources/list', 'resources', 'uri')).toContain('pages://front');
    expect(await names('resources/templates/list', 'resourceTemplates', 'uriTemplate')).toEqual([
      'pages://all/{slug}',
    ]);
    const read = async (uri: string): Promise<unknown> =>
      (await send(server.url, 'resources/read', { uri })).body;
    expect(await read('pages://front')).toMatchObject({
      result: { contents: [{ text: 'the front page' }] },
    });
    expect(await read('pages://all/two')).toMatchObject({
      result: { contents: [{ text: 'two' }] },
    });
    expect(registry.removeResource('pages://front')).toBe(true);
    expect(registry.removeResource('pages://all/{slug}')).toBe(true);
    expect(registry.removeResource('pages://all/{slug}')).toBe(false);
    expect(registry.removePrompt('greet')).toBe(true);
    expect(registry.removePrompt('greet')).toBe(false);
    expect(await read('pages://front')).toMatchObject({ error: { code: -32602 } });
    expect(await read('pages://all/two')).toMatchObject({ error: { code: -32602 } });
    expect(await names('prompts/list', 'prompts', 'name')).toEqual([]);
  });

  it('announces every change, and none that was none', async () => {
    registry.addPrompt({ name: 'standing' }, Reports, 'front');
    registry.addResource({ uri: 'pages://front' }, Reports, 'front');
    const stream = await listen(server.url, {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    });
    streams.push(stream);
    await stream.next();
    registry.removeTool('never there');
    const changes: [() => void, string][] = [
      [() => registry.addTool({ name: 'sum' }, Reports, 'sum'), 'tools'],
      [() => registry.removeTool('sum'), 'tools'],
      [() => registry.addPrompt({ name: 'greet' }, Reports, 'greet'), 'prompts'],
      [() => registry.removePrompt('greet'), 'prompts'],
      [() => registry.addResource({ uriTemplate: 'p://{slug}' }, Reports, 'page'), 'resources'],
      [() => registry.removeResource('p://{slug}'), 'resources'],
    ];
    for (const [change, list] of changes) {
      change();
      expect((await stream.next()).method).toBe(`notifications/${list}/list_changed`);
    }
    expect(stream.unread).toEqual([]);
  });

  it('tells with server/discover what there is now', async () => {
    const capabilities = async (): Promise<unknown> =>
      resultOf(await send(server.url, 'server/discover'))['capabilities'];
    expect(await capabilities()).not.toHaveProperty('prompts');
    registry.addPrompt({ name: 'greet' }, Reports, 'greet');
    expect(await capabilities()).toHaveProperty('prompts', { listChanged: true });
  });

  it('makes a tool of a method whose arguments are completed as those of a prompt', async () => {
    @Injectable()
    class Both {
      @McpPrompt()
      titled(@McpArg('title', { complete: ['Annual'] }) title: string): string {
        return title;
      }
    }
    const other = await startServer({ adapter, providers: [Both] });
    other.app.get(McpRegistry).addTool({ name: 'x', input: TITLED }, Both, 'titled');
    expect(textOf(await callTool(other.url, 'x', { title: 'Annual' }))).toBe('Annual');
    await other.close();
  });

  it('refuses what the boot would refuse, and stays as it was', async () => {
    registry.addTool({ name: 'sum' }, Reports, 'sum');
    const attempts: [() => void, RegExp][] = [
      [
        () => registry.addTool({ name: 'sum' }, Reports, 'sum'),
        /"sum" is already taken by Reports\.sum/,
      ],
      [
        () => registry.addTool({ name: 'x' }, Homeless, 'run'),
        /Homeless\.run: its class is provided by no module/,
      ],
      [
        () => registry.addTool({ name: 'x' }, Reports, 'notOne'),
        /Reports\.notOne: it is no handler\. Decorate/,
      ],
      [
        () => registry.addTool({ name: 'x', input: { type: 'nonsense' } }, Reports, 'sum'),
        /Reports\.sum/,
      ],
      [() => registry.addTool({ name: 'a name' }, Reports, 'sum'), /Reports\.sum/],
      [
        () => registry.addTool({ name: 'x', vsible: () => false } as object, Reports, 'sum'),
        /Reports\.sum: @McpTool\(\) has an option "vsible", which tools do not have/,
      ],
      [
        () => registry.addTool({ name: 'x', input: TITLED }, Reports, 'titled'),
        /Reports\.titled: @McpArg\("title"\) has a complete option, and only arguments of prompts/,
      ],
      [
        () => registry.addCompletion({ prompt: 'p', argument: 'x' }, Reports, 'titled'),
        /Reports\.titled: @McpArg\("title"\) has a complete option, and only arguments of prompts/,
      ],
      [() => registry.addResource({ uri: 'no uri' }, Reports, 'front'), /Reports\.front/],
      [
        () => registry.addTool({ name: 'x' }, Reports, 'absent' as never),
        /Reports\.absent: it is no handler/,
      ],
    ];
    for (const [attempt, message] of attempts) expect(attempt).toThrow(message);
    expect(await tools()).toEqual(['standing', 'sum']);
  });
});
