import { Injectable, type Type as Class } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsDate, IsInt } from 'class-validator';
import { z } from 'zod';
import {
  McpArgs,
  McpPrompt,
  McpResource,
  McpTool,
  type ContentBlock,
  type JsonSchema,
  type McpToolOptions,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, textOf } from '../support/wire.js';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

/** The everything schema of the conformance suite is like this one: each keyword that is easy to lose. */
const ADDRESS: JsonSchema = {
  $schema: DIALECT,
  $id: 'https://example.com/address',
  type: 'object',
  description: 'An address',
  properties: {
    country: { enum: ['CH', 'US'] },
    code: { $ref: '#code' },
    lines: { type: 'array', prefixItems: [{ type: 'string' }], items: { $ref: '#/$defs/line' } },
  },
  required: ['country'],
  if: { properties: { country: { const: 'CH' } } },
  then: { required: ['code'] },
  else: { required: ['lines'] },
  unevaluatedProperties: false,
  'x-company': { kept: true },
  $defs: {
    code: { $anchor: 'code', type: 'string', pattern: '^[0-9]{4}$' },
    line: { type: 'string', maxLength: 5 },
  },
};

/** A tree that only nodes of its own kind may stand in. */
const TREE: JsonSchema = {
  $schema: DIALECT,
  $id: 'https://example.com/strict-tree',
  $dynamicAnchor: 'node',
  $ref: 'tree',
  type: 'object',
  unevaluatedProperties: false,
  $defs: {
    tree: {
      $id: 'https://example.com/tree',
      $dynamicAnchor: 'node',
      type: 'object',
      properties: {
        name: { type: 'string' },
        children: { type: 'array', items: { $dynamicRef: '#node' } },
      },
    },
  },
};

const PAIR = {
  $schema: DRAFT_07,
  type: 'object',
  properties: {
    pair: { type: 'array', items: [{ type: 'string' }, { $ref: '#/definitions/count' }] },
    anything: true,
    nothing: false,
  },
  required: ['pair'],
  dependencies: { loud: ['pair', 'level'] },
  definitions: { count: { type: 'integer' } },
} as const satisfies JsonSchema;

const ICONS = [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'] }];
const AUDIENCE = {
  audience: ['user' as const],
  priority: 0.5,
  lastModified: '2026-07-28T10:00:00Z',
};

class Member {
  @IsInt() @Type(() => Number) id!: number;
  @IsDate() @Type(() => Date) since!: Date;
}

/** What a tool is given, it returns: its output schema judges. */
function echoes(output: JsonSchema): McpToolOptions {
  return { input: { type: 'object', properties: { value: {} }, required: ['value'] }, output };
}

@Injectable()
class Tools {
  @McpTool({ input: ADDRESS })
  address(@McpArgs() args: unknown): string {
    return JSON.stringify(args);
  }

  @McpTool({ input: TREE })
  tree(@McpArgs() args: unknown): string {
    return JSON.stringify(args);
  }

  @McpTool({ input: PAIR })
  pair(@McpArgs() args: unknown): string {
    return JSON.stringify(args);
  }

  @McpTool(echoes({ type: 'object', required: ['a'] }))
  object(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool(echoes({ type: 'array', items: { type: 'integer' } }))
  list(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool(echoes({ type: 'string' }))
  text(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool(echoes({ type: 'number' }))
  number(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool(echoes({ type: 'boolean' }))
  flag(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool(echoes({ type: 'null' }))
  nothing(@McpArgs() { value }: { value: unknown }): unknown {
    return { structuredContent: value, content: [] };
  }

  @McpTool({ output: z.object({ id: z.number(), n: z.number().default(5) }) })
  account(): unknown {
    return { id: 1, passwordHash: 'secret of the house' };
  }

  @McpTool({ output: z.object({ id: z.coerce.number() }) })
  wholeAccount(): unknown {
    const structuredContent = { id: '1', passwordHash: 'secret of the house' };
    return { content: [], structuredContent };
  }

  @McpTool({ output: Member })
  member(): unknown {
    return { id: '1', since: new Date(0) };
  }

  @McpTool({ output: Member })
  strangeMember(): unknown {
    return { id: 1, since: new Date(0), passwordHash: 'secret of the house' };
  }

  @McpTool({
    name: 'described',
    title: 'Described',
    description: 'With everything a list can say',
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    icons: ICONS,
    meta: { 'example.com/team': 'books' },
  })
  described(): ContentBlock[] {
    return [
      { type: 'text', text: 'for people', annotations: AUDIENCE, _meta: { 'example.com/n': 1 } },
      {
        type: 'resource_link',
        uri: 'docs://long',
        name: 'long',
        title: 'Long',
        size: 120_000,
        icons: ICONS,
        annotations: { priority: 1 },
      },
      {
        type: 'resource',
        resource: { uri: 'docs://long', text: 'x', _meta: { 'example.com/n': 2 } },
        annotations: { audience: ['assistant'] },
      },
    ];
  }

  @McpPrompt({ title: 'Plan', description: 'Plans', icons: ICONS, meta: { 'example.com/p': 1 } })
  plan(): string {
    return 'plan';
  }

  @McpResource({
    uri: 'docs://long',
    name: 'long',
    title: 'Long',
    description: 'A long text',
    mimeType: 'text/plain',
    size: 120_000,
    annotations: AUDIENCE,
    icons: ICONS,
    meta: { 'example.com/r': 1 },
  })
  long(): string {
    return 'x';
  }

  @McpResource({
    uriTemplate: 'docs://pages/{slug}',
    title: 'Page',
    annotations: AUDIENCE,
    icons: ICONS,
    meta: { 'example.com/t': 1 },
  })
  page(): string {
    return 'x';
  }
}

describe.each(adapters)('Schemas and metadata on %s', (_, adapter) => {
  let server: TestServer;
  let client: Awaited<ReturnType<typeof connect>>;

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Tools] });
    client = await connect(server.url);
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  describe('a schema by hand', () => {
    it('is listed to the letter, in the order it was written in', async () => {
      const { tools } = resultOf(await send(server.url, 'tools/list')) as unknown as {
        tools: { name: string; inputSchema: object }[];
      };
      const listed = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
      for (const [name, schema] of Object.entries({ address: ADDRESS, tree: TREE, pair: PAIR })) {
        expect(JSON.stringify(listed.get(name))).toBe(JSON.stringify(schema));
      }
    });

    it.each([
      ['address', { country: 'CH', code: '8000' }],
      ['address', { country: 'US', lines: ['anything at all', 'short'] }],
      ['tree', { name: 'a', children: [{ name: 'b', children: [] }] }],
      ['pair', { pair: ['a', 1, 'whatever comes after'] }],
      ['pair', { pair: [], loud: true, level: 3 }],
      ['pair', { pair: [], anything: { goes: [1] } }],
    ])('lets pass: %s %j', async (name, args) => {
      expect(textOf(await callTool(server.url, name, args))).toBe(JSON.stringify(args));
    });

    it.each([
      ['$anchor', 'address', { country: 'CH', code: 'x' }, 'code must match pattern'],
      ['then', 'address', { country: 'CH' }, 'code'],
      ['else', 'address', { country: 'US', code: '8000' }, 'lines'],
      ['$defs', 'address', { country: 'US', lines: ['a', 'too long'] }, 'lines.1'],
      ['unevaluatedProperties', 'address', { country: 'CH', code: '8000', city: 'B' }, 'city'],
      [
        '$dynamicRef',
        'tree',
        { name: 'a', children: [{ name: 'b', color: 'red' }] },
        'children.0.color',
      ],
      ['items of draft-07', 'pair', { pair: ['a', 'b'] }, 'pair.1 must be integer'],
      ['dependencies of draft-07', 'pair', { pair: [], loud: true }, 'level'],
      ['false', 'pair', { pair: [], nothing: 0 }, 'nothing'],
    ])('is held against arguments: %s', async (_keyword, name, args, text) => {
      const result = resultOf(await callTool(server.url, name, args));
      expect(result.isError).toBe(true);
      expect(result.content?.[0]?.text).toContain(text);
    });

    it('is not asked about arguments that are too deep or too many to look at', async () => {
      let deep: unknown = {};
      for (let level = 0; level < 2_000; level += 1) deep = { children: [deep] };
      const response = await callTool(server.url, 'tree', deep as Record<string, unknown>);
      expect(errorOf(response)).toMatchObject({ code: -32602 });
      expect(errorOf(response).message).toMatch(/deep/);
    });
  });

  describe('an output', () => {
    it.each([
      ['object', { a: 1 }],
      ['list', [1, 2]],
      ['text', ''],
      ['number', 0],
      ['flag', false],
      ['nothing', null],
    ])('may be of type %s', async (name, value) => {
      const result = resultOf(await callTool(server.url, name, { value }));
      expect(result.isError).toBeUndefined();
      expect(result.structuredContent).toEqual(value);
    });

    it.each([
      ['account', { id: 1, n: 5 }],
      ['member', { id: 1, since: '1970-01-01T00:00:00.000Z' }],
    ])('sends what it makes of the result, and nothing else: %s', async (name, made) => {
      const { content, structuredContent } = resultOf(await callTool(server.url, name));
      expect(structuredContent).toEqual(made);
      expect(content).toEqual([{ type: 'text', text: JSON.stringify(made) }]);
      // The client holds it against the schema that is listed.
      await client.listTools();
      expect((await client.callTool({ name })).structuredContent).toEqual(made);
    });

    it('sends what it makes of a whole result, and nothing else', async () => {
      const { structuredContent } = resultOf(await callTool(server.url, 'wholeAccount'));
      expect(structuredContent).toEqual({ id: 1 });
    });

    it('of a class refuses what the class does not know', async () => {
      const response = await callTool(server.url, 'strangeMember');
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
    });

    it.each([
      ['object', {}],
      ['list', [1, 'secret of the house']],
      ['text', 5],
      ['number', 'secret of the house'],
      ['flag', null],
      ['nothing', 'secret of the house'],
    ])('that breaks its schema is no fault of the caller: %s', async (name, value) => {
      const before = server.logs.length;
      const response = await callTool(server.url, name, { value });
      expect(response.status).toBe(500);
      expect(response.body.error).toEqual({ code: -32603, message: 'Internal error' });
      const logged = server.logs.slice(before);
      expect(logged).toHaveLength(1);
      expect(logged[0]?.level).toBe('error');
      expect(logged[0]?.text).toContain(`"${name}" returned a value that cannot be sent`);
      expect(logged[0]?.text).not.toContain('secret of the house');
    });
  });

  describe('metadata', () => {
    it('stands in the list of tools', async () => {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'described')).toMatchObject({
        title: 'Described',
        description: 'With everything a list can say',
        annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
        icons: ICONS,
        _meta: { 'example.com/team': 'books' },
      });
    });

    it('stands in the lists of prompts, resources and templates', async () => {
      expect((await client.listPrompts()).prompts[0]).toMatchObject({
        title: 'Plan',
        icons: ICONS,
        _meta: { 'example.com/p': 1 },
      });
      expect((await client.listResources()).resources[0]).toMatchObject({
        title: 'Long',
        description: 'A long text',
        mimeType: 'text/plain',
        size: 120_000,
        annotations: AUDIENCE,
        icons: ICONS,
        _meta: { 'example.com/r': 1 },
      });
      expect((await client.listResourceTemplates()).resourceTemplates[0]).toMatchObject({
        title: 'Page',
        annotations: AUDIENCE,
        icons: ICONS,
        _meta: { 'example.com/t': 1 },
      });
    });

    it('stands in content', async () => {
      const { content } = await client.callTool({ name: 'described', arguments: {} });
      expect(content).toMatchObject([
        { annotations: AUDIENCE, _meta: { 'example.com/n': 1 } },
        { title: 'Long', size: 120_000, icons: ICONS, annotations: { priority: 1 } },
        {
          resource: { _meta: { 'example.com/n': 2 } },
          annotations: { audience: ['assistant'] },
        },
      ]);
    });
  });
});

describe('The boot stops, naming class, method and fact, at', () => {
  const tool = (options: McpToolOptions): Class<object> => {
    @Injectable()
    class Shelf {
      @McpTool(options)
      run(): void {
        // Never called.
      }
    }
    return Shelf;
  };

  const nested = (depth: number): JsonSchema =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };

  const wide = (count: number): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]),
    ),
  });

  const icon = (src: string): McpToolOptions => ({ icons: [{ src }] });

  it.each<[string, McpToolOptions, RegExp]>([
    ['a deep input', { input: nested(40) }, /nested more than 64 levels/],
    ['a deep output', { output: nested(40) }, /nested more than 64 levels/],
    ['a wide input', { input: wide(1_001) }, /more than 1000 objects and lists/],
    [
      'an output from the network',
      { output: { $ref: 'https://example.com/out.json' } },
      /can't resolve reference https:\/\/example\.com\/out\.json/,
    ],
    [
      'a $dynamicRef to the network',
      { output: { items: { $dynamicRef: 'https://example.com/out.json#x' } } },
      /https:\/\/example\.com\/out\.json/,
    ],
    ['an icon without TLS', icon('http://example.com/i.png'), /icon/],
    ['an icon that runs', icon('javascript:alert(1)'), /icon/],
    [
      'a hint that is no boolean',
      { annotations: { readOnlyHint: 'yes' as unknown as boolean } },
      /readOnlyHint/,
    ],
    ['a key of _meta that is none', { meta: { 'not a key!': 1 } }, /meta/],
  ])('%s', async (_what, options, text) => {
    const boot = startServer({ providers: [tool(options)] }).then((server) => server.close());
    await expect(boot).rejects.toThrow(/Shelf\.run/);
    await expect(
      startServer({ providers: [tool(options)] }).then((server) => server.close()),
    ).rejects.toThrow(text);
  });
});
