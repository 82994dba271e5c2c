import { Injectable } from '@nestjs/common';
import { IsInt, IsOptional, IsString } from 'class-validator';
import fc from 'fast-check';
import {
  McpArg,
  McpArgs,
  McpContext,
  McpPrompt,
  McpResource,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, ENVELOPE, post, stateOf, textOf, type WireResponse } from '../support/wire.js';

class Order {
  @IsString()
  item!: string;

  @IsOptional()
  @IsInt()
  count?: number;
}

@Injectable()
class Shop {
  @McpTool({ description: 'Orders' })
  async order(@McpArgs() args: Order, @McpContext() ctx: McpToolContext): Promise<string> {
    const answer = await ctx.elicit('Sure?', (form) =>
      form.boolean('yes').choices('extras', ['a', 'b'], { optional: true }),
    );
    return `${args.item} ${answer.action}`;
  }

  @McpTool({ description: 'Echoes anything', input: { type: 'object' } })
  echo(@McpArgs() args: object): object {
    return args;
  }

  @McpPrompt({ description: 'Greets' })
  greet(@McpArg('name') name: string): string {
    return `Hello ${name}`;
  }

  @McpResource({ uriTemplate: 'shop://{+path}/{id}{?q}' })
  item(@McpArg('path') path: string, @McpArg('id') id: string): string {
    return `${path} ${id}`;
  }
}

/** A failing run is repeated by its seed, which fast-check prints. */
const RUNS = { numRuns: 400 };

/** Words an attacker would try where an identifier is expected. */
const nasty = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  '\ud800',
  'elicit-1',
  'a'.repeat(5_000),
  '../../etc/passwd',
  '${7*7}',
);

const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const word = fc.oneof(nasty, fc.string());
const anything = fc.oneof(json, word, fc.constant(undefined));

const meta = fc.oneof(
  { weight: 6, arbitrary: fc.constant(ENVELOPE) },
  {
    weight: 2,
    arbitrary: fc.record({ ...ENVELOPE_PARTS(), progressToken: anything }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: json },
);

function ENVELOPE_PARTS(): Record<string, fc.Arbitrary<unknown>> {
  return Object.fromEntries(
    Object.entries(ENVELOPE).map(([key, value]) => [key, fc.oneof(fc.constant(value), json)]),
  );
}

const params = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        _meta: meta,
        name: fc.oneof(fc.constantFrom('order', 'echo', 'greet'), anything),
        uri: fc.oneof(fc.constantFrom('shop://a/b', 'shop://a/b/c?q=1'), anything),
        arguments: fc.oneof(fc.constant({ item: 'x' }), fc.dictionary(word, json), anything),
        inputResponses: fc.oneof(
          fc.dictionary(word, fc.oneof(fc.constant({ action: 'accept' }), json)),
          anything,
        ),
        requestState: fc.oneof(fc.base64String(), anything),
        cursor: anything,
      },
      { requiredKeys: ['_meta'] },
    ),
  },
  { weight: 1, arbitrary: anything },
);

const method = fc.oneof(
  fc.constantFrom(
    'tools/call',
    'prompts/get',
    'resources/read',
    'tools/list',
    'server/discover',
    'notifications/cancelled',
  ),
  word,
);

const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, anything),
    id: fc.oneof({ weight: 6, arbitrary: fc.integer() }, { weight: 3, arbitrary: word }, json),
    method,
    params,
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);

describe.each(adapters)('Bad input on %s', (_, adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Shop] });
  });
  afterAll(() => server.close());

  /** What every answer keeps, whatever the question was. */
  const expectDecent = (response: WireResponse): void => {
    const { status, text, body } = response;
    expect([200, 202, 400, 401, 403, 404, 406, 413, 415, 500]).toContain(status);
    expect(text).not.toMatch(/node_modules|\.ts:\d|\.js:\d|\n\s+at |\/packages\//);
    if (status === 202) return;
    expect(body.jsonrpc).toBe('2.0');
    expect([body.result === undefined, body.error === undefined].sort()).toEqual([false, true]);
    if (body.error !== undefined) {
      expect(Number.isInteger(body.error.code)).toBe(true);
      expect(body.error.message).not.toBe('');
    }
  };

  const expectServing = async (): Promise<void> => {
    const first = await callTool(server.url, 'order', { item: 'tea' });
    const second = await callTool(
      server.url,
      'order',
      { item: 'tea' },
      { requestState: stateOf(first), inputResponses: { 'elicit-1': { action: 'decline' } } },
    );
    expect(textOf(second)).toBe('tea decline');
  };

  afterEach(expectServing);

  it('in any member of a message is answered decently, with the id it came with', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (value) => {
        const sent = JSON.parse(JSON.stringify(value)) as {
          id?: unknown;
          method?: unknown;
          params?: { name?: unknown; uri?: unknown };
        };
        const name = sent.params?.name ?? sent.params?.uri;
        const response = await post(server.url, JSON.stringify(value), {
          'mcp-protocol-version': '2026-07-28',
          // Methods are sent as they are; the others would not pass the headers.
          'mcp-method': plain(sent.method),
          'mcp-name': header(name),
        });
        expectDecent(response);
        const { id } = response.body;
        if (id !== undefined) expect(id).toEqual(sent.id);
      }),
      RUNS,
    );
  }, 60_000);

  it('in a body of any bytes is answered decently', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.string().map((text) => new TextEncoder().encode(`{"jsonrpc":"2.0",${text}`)),
        ),
        async (bytes) => {
          expectDecent(await post(server.url, new Uint8Array(bytes)));
        },
      ),
      RUNS,
    );
  }, 60_000);

  it('in any header is answered decently', async () => {
    const value = fc
      .string({ unit: 'binary-ascii' })
      .map((text) => text.replace(/[^\x20-\x7e]/g, ''));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            'accept',
            'content-type',
            'origin',
            'mcp-method',
            'mcp-name',
            'mcp-protocol-version',
            'authorization',
            'mcp-param-x',
          ),
          value,
        ),
        async (headers) => {
          expectDecent(await callTool(server.url, 'echo', {}, {}, { headers }));
        },
      ),
      RUNS,
    );
  }, 60_000);

  it.each([
    ['arguments nested 100,000 deep', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    [
      'a __proto__ of its own',
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ],
    [
      'a million members',
      `{${Array.from({ length: 100_000 }, (__, index) => `"k${index}":0`).join(',')}}`,
    ],
    ['numbers no double holds', '{"n":1e400,"m":123456789012345678901234567890}'],
    ['repeated members', '{"a":1,"a":2}'],
  ])('such as %s does no harm', async (__, args) => {
    for (const tool of ['echo', 'order']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":${args},"_meta":${JSON.stringify(ENVELOPE)}}}`;
      const response = await post(server.url, body, {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': tool,
      });
      expectDecent(response);
      expect(response.body.id).toBe(1);
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('leaves nothing unanswered when many come at once', async () => {
    const bodies = ['{', '[]', 'null', '{"jsonrpc":"2.0","id":1,"method":"x"}', '"', '{}'];
    const responses = await Promise.all(
      Array.from({ length: 120 }, (__, index) =>
        post(server.url, bodies[index % bodies.length] as string),
      ),
    );
    for (const response of responses) expectDecent(response);
  });
});

function plain(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : undefined;
}

/** A header's text for a value of any kind. */
function header(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
