import { type CanActivate, Injectable, UnauthorizedException, UseGuards } from '@nestjs/common';
import { Type as Nested } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import {
  McpArg,
  McpArgs,
  McpContext,
  McpHeader,
  McpProperty,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  errorOf,
  post,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

class Place {
  @McpProperty({ description: 'Where it runs' })
  @McpHeader('Region')
  @IsString()
  region!: string;

  @IsOptional()
  @McpHeader('Shard')
  @IsInt()
  shard?: number;
}

class Job {
  @ValidateNested()
  place!: Place;

  @IsOptional()
  @McpHeader('Dry-Run')
  @IsBoolean()
  dry?: boolean;
}

let guarded = 0;

class Locked implements CanActivate {
  canActivate(): boolean {
    guarded += 1;
    throw new UnauthorizedException('nobody enters');
  }
}

let ran: unknown[] = [];

@Injectable()
class Tools {
  @McpTool({ description: 'Takes a DTO within a DTO' })
  byDto(@McpArgs() job: Job): string {
    ran.push(job);
    return JSON.stringify(job);
  }

  @McpTool({
    description: 'Takes JSON Schema',
    input: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region', minLength: 2 } },
    },
  })
  byJsonSchema(@McpArg('region') region: string | undefined): string {
    return `region ${region ?? 'none'}`;
  }

  @McpTool({
    description: 'Takes zod',
    input: z.object({ where: z.object({ shard: z.int().meta({ 'x-mcp-header': 'Shard' }) }) }),
  })
  byZod(@McpArgs() args: { where: { shard: number } }): string {
    return `shard ${args.where.shard}`;
  }

  @UseGuards(Locked)
  @McpTool({
    description: 'Lets nobody in',
    input: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } },
  })
  locked(): void {
    // Never called.
  }

  @McpTool({
    description: 'Asks',
    input: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } },
  })
  async asks(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('Sure?', (form) => form.boolean('yes'))).action;
  }
}

/** Asks to run `byDto` with the header of its region, and others. */
function call(
  url: string,
  args: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<WireResponse> {
  return callTool(url, 'byDto', args, {}, { headers });
}

describe.each(adapters)('Arguments in headers on %s', (_, adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Tools] });
  });
  beforeEach(() => {
    ran = [];
    guarded = 0;
  });
  afterAll(() => server.close());

  it('are listed where clients look for them: in properties, behind no reference', async () => {
    const { tools } = resultOf(await send(server.url, 'tools/list')) as unknown as {
      tools: { name: string; inputSchema: Record<string, unknown> }[];
    };
    const schemaOf = (wanted: string): unknown =>
      tools.find(({ name }) => name === wanted)?.inputSchema;
    expect(schemaOf('byDto')).toEqual({
      type: 'object',
      properties: {
        place: {
          type: 'object',
          properties: {
            region: { type: 'string', description: 'Where it runs', 'x-mcp-header': 'Region' },
            shard: { type: 'integer', 'x-mcp-header': 'Shard' },
          },
          required: ['region'],
          additionalProperties: false,
        },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      },
      required: ['place'],
      additionalProperties: false,
    });
    expect(schemaOf('byJsonSchema')).toEqual({
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region', minLength: 2 } },
    });
    expect(schemaOf('byZod')).toMatchObject({
      properties: { where: { properties: { shard: { 'x-mcp-header': 'Shard' } } } },
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['as they are', { place: { region: 'eu' } }, { 'Mcp-Param-Region': 'eu' }],
    ['in any case', { place: { region: 'eu' } }, { 'MCP-PARAM-REGION': 'eu' }],
    ['with space around them', { place: { region: 'eu' } }, { 'mcp-param-region': '  eu ' }],
    ['as Base64', { place: { region: 'größe' } }, { 'mcp-param-region': base64('größe') }],
    ['empty', { place: { region: '' } }, { 'mcp-param-region': base64('') }],
    [
      'of every type, numbers by value',
      { place: { region: 'eu', shard: 42 }, dry: true },
      { 'mcp-param-region': 'eu', 'mcp-param-shard': '42.0', 'mcp-param-dry-run': 'true' },
    ],
    [
      'beside strangers',
      { place: { region: 'eu' } },
      { 'mcp-param-region': 'eu', 'mcp-param-x': 'y' },
    ],
  ])('are taken %s', async (_how, args, headers) => {
    const response = await call(server.url, args, headers);
    expect(JSON.parse(textOf(response) ?? '')).toEqual(args);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['missing', { place: { region: 'eu' } }, {}],
    ['of another value', { place: { region: 'eu' } }, { 'mcp-param-region': 'us' }],
    ['of another case', { place: { region: 'eu' } }, { 'mcp-param-region': 'EU' }],
    ['badly padded', { place: { region: 'Hello' } }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    ['no Base64', { place: { region: 'Hello' } }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    ['raw where they are no ASCII', { place: { region: 'ü' } }, { 'mcp-param-region': 'ü' }],
    ['there without the argument', { place: {} }, { 'mcp-param-region': 'eu' }],
    ['there for null', { place: { region: null } }, { 'mcp-param-region': 'eu' }],
    [
      'another number',
      { place: { region: 'eu', shard: 42 } },
      { 'mcp-param-region': 'eu', 'mcp-param-shard': '43' },
    ],
    [
      'another boolean',
      { place: { region: 'eu' }, dry: false },
      { 'mcp-param-region': 'eu', 'mcp-param-dry-run': 'true' },
    ],
  ])('are refused when the header is %s', async (_how, args, headers) => {
    const response = await call(server.url, args, headers);
    expect(response.status).toBe(400);
    expect(errorOf(response)).toMatchObject({
      code: -32020,
      message: expect.stringMatching(/^Header mismatch: .*Mcp-Param-/) as unknown,
    });
    expect(response.body.id).toBe(1);
    expect(ran).toEqual([]);
  });

  it('that come twice are not one', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'byJsonSchema',
        arguments: { region: 'eu' },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    });
    const response = await post(server.url, body, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'byJsonSchema',
      'mcp-param-region': 'eu',
      'Mcp-Param-Region': 'us',
    });
    expect(errorOf(response).code).toBe(-32020);
  });

  it('need no header when they are absent or null', async () => {
    expect(textOf(await callTool(server.url, 'byJsonSchema'))).toBe('region none');
    const nothing = resultOf(await callTool(server.url, 'byJsonSchema', { region: null }));
    expect(nothing.content?.[0]?.text).toContain('region must be string');
  });

  it('of zod are read from the path of the property', async () => {
    const args = { where: { shard: 7 } };
    const headers = { 'mcp-param-shard': '7' };
    expect(textOf(await callTool(server.url, 'byZod', args, {}, { headers }))).toBe('shard 7');
    expect(errorOf(await callTool(server.url, 'byZod', args)).code).toBe(-32020);
  });

  it('that fit their header are still validated, for the model to read', async () => {
    const headers = { 'mcp-param-region': 'x' };
    const result = resultOf(
      await callTool(server.url, 'byJsonSchema', { region: 'x' }, {}, { headers }),
    );
    expect(result.isError).toBe(true);
    expect(result.content?.[0]?.text).toContain('must NOT have fewer than 2 characters');
  });

  it('are held against their header after the lookup and before guards', async () => {
    const args = { a: 'x' };
    const headers = { 'mcp-param-a': 'x' };
    expect(errorOf(await callTool(server.url, 'nobody', args)).message).toBe(
      'Unknown tool: nobody',
    );
    expect(errorOf(await callTool(server.url, 'locked', args)).code).toBe(-32020);
    expect(guarded).toBe(0);
    expect(errorOf(await callTool(server.url, 'locked', args, {}, { headers })).code).toBe(401);
    expect(guarded).toBe(1);
  });

  it('need their header in every round', async () => {
    const headers = { 'mcp-param-a': 'x' };
    const first = await callTool(server.url, 'asks', { a: 'x' }, {}, { headers });
    const retry = {
      requestState: stateOf(first),
      inputResponses: { 'elicit-1': { action: 'accept', content: { yes: true } } },
    };
    expect(errorOf(await callTool(server.url, 'asks', { a: 'x' }, retry)).code).toBe(-32020);
    expect(textOf(await callTool(server.url, 'asks', { a: 'x' }, retry, { headers }))).toBe(
      'accept',
    );
  });

  it('are mirrored by the official client, which lists every tool', async () => {
    const sent: Headers[] = [];
    const client = await connect(server.url, {
      fetch: (input, init) => {
        sent.push(new Headers(init?.headers));
        return fetch(input, init);
      },
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'byDto',
      'byJsonSchema',
      'byZod',
      'locked',
      'asks',
    ]);
    for (const region of ['eu', 'größe', ' padded ', 'line1\nline2', '=?base64?literal?=', '']) {
      const job = { place: { region, shard: -7 }, dry: false };
      const { content } = await client.callTool({ name: 'byDto', arguments: job });
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(job) }]);
    }
    const last = sent.at(-1);
    expect(last?.get('mcp-param-shard')).toBe('-7');
    expect(last?.get('mcp-param-dry-run')).toBe('false');
    await client.close();
  });

  it('make the official client ask for the list when it did not know them', async () => {
    const client = await connect(server.url);
    const { content } = await client.callTool({
      name: 'byJsonSchema',
      arguments: { region: 'eu' },
    });
    expect(content).toEqual([{ type: 'text', text: 'region eu' }]);
    await client.close();
  });
});

describe('The boot stops at', () => {
  async function complaint(provider: new () => object): Promise<string> {
    try {
      const server = await startServer({ providers: [provider] });
      await server.close();
    } catch (error) {
      return `${(error as Error).name}: ${(error as Error).message}`;
    }
    throw new Error('it booted');
  }

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no token', { a: { type: 'string', 'x-mcp-header': 'a b' } }, /"a b", which is no name/],
    ['a number', { a: { type: 'number', 'x-mcp-header': 'A' } }, /its "type" is "number"/],
    [
      'a duplicate',
      {
        a: { type: 'string', 'x-mcp-header': 'A' },
        b: { type: 'string', 'x-mcp-header': 'a' },
      },
      /b and a share the header/,
    ],
    [
      'in a list',
      { a: { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } } },
      /stands where no header can be read from/,
    ],
  ])('a handwritten header that is %s', async (_, properties, text) => {
    @Injectable()
    class Wrong {
      @McpTool({ description: 'x', input: { type: 'object', properties } as never })
      run(): void {
        // Never called.
      }
    }
    expect(await complaint(Wrong)).toMatch(text);
    expect(await complaint(Wrong)).toMatch(
      /^HandlerDefinitionException: Wrong\.run: its headers cannot be mirrored: .+ Correct @McpHeader\(\)/,
    );
  });

  it('a header of a DTO in a list', async () => {
    class List {
      @ValidateNested({ each: true })
      @Nested(() => Place)
      places!: Place[];
    }
    @Injectable()
    class Wrong {
      @McpTool({ description: 'x' })
      run(@McpArgs() _list: List): void {
        // Never called.
      }
    }
    expect(await complaint(Wrong)).toMatch(
      /Wrong\.run: .*"Region" stands where no header can be read from/,
    );
  });

  it('a DTO with a header that stands in two places', async () => {
    class Two {
      @ValidateNested()
      from!: Place;

      @ValidateNested()
      to!: Place;
    }
    @Injectable()
    class Wrong {
      @McpTool({ description: 'x' })
      run(@McpArgs() _two: Two): void {
        // Never called.
      }
    }
    expect(await complaint(Wrong)).toMatch(/to\.region and from\.region share the header/);
  });
});
