import { connect as connectSocket } from 'node:net';
import {
  Controller,
  Get,
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule,
  VersioningType,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  McpArg,
  McpArgs,
  McpContext,
  type McpExchange,
  McpPrincipalSource,
  McpPrompt,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer, type TestServerOptions } from '../support/test-server.js';
import {
  callTool,
  ENVELOPE,
  errorOf,
  eventsOf,
  post,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

class Text {
  @IsString()
  text!: string;
}

/** Lets a spec know that a handler is waiting, and what it saw in the end. */
let waiting: { started: () => void; ended: (aborted: boolean) => void } | undefined;

@Injectable()
class Tools {
  @McpTool({ description: 'Echoes' })
  echo(@McpArgs() args: Text): string {
    return args.text;
  }

  @McpTool({ description: 'Reports progress' })
  async report(@McpContext() ctx: McpToolContext): Promise<string> {
    const progress = ctx.countingProgress(2);
    progress.next('one');
    const answer = await ctx.elicit('Go on?', (form) => form.boolean('yes'));
    progress.next('two');
    return answer.action;
  }

  @McpTool({ description: 'Waits for the client to go away' })
  async wait(@McpContext() ctx: McpToolContext): Promise<string> {
    const progress = ctx.countingProgress();
    progress.next('waiting');
    await new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => resolve());
      waiting?.started();
    });
    progress.next('too late');
    waiting?.ended(ctx.signal.aborted);
    return 'nobody reads this';
  }

  @McpPrompt({ description: 'Greets', title: 'Greeting' })
  greet(@McpArg('name', { description: 'Whom' }) name: string): string {
    return `Hello ${name}`;
  }

  @McpResource({ uri: 'docs://größe', mimeType: 'text/plain' })
  async size(@McpContext() ctx: McpResourceContext): Promise<string> {
    ctx.percentageProgress().to(0.5);
    return 'groß';
  }

  @McpResource({ uriTemplate: 'docs://{page}{?lang}' })
  page(@McpArg('page') page: string, @McpArg('lang') lang?: string): object {
    return { page, lang: lang ?? 'none' };
  }
}

@Controller()
class PlainController {
  @Get('plain')
  plain(): string {
    return 'plain';
  }
}

@Module({ controllers: [PlainController] })
class HostModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(
        (
          _request: unknown,
          response: { setHeader(n: string, v: string): void },
          next: () => void,
        ) => {
          response.setHeader('x-middleware', 'yes');
          next();
        },
      )
      .forRoutes('*path');
  }
}

const message = (method: string, params: object, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const echo = (text: string): string =>
  message('tools/call', { name: 'echo', arguments: { text }, _meta: ENVELOPE });

const echoHeaders = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'echo',
};

describe.each(adapters)('The endpoint on %s', (_, adapter) => {
  let server: TestServer;
  let url: string;
  const others: TestServer[] = [];

  const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
    const started = await startServer({ adapter, providers: [Tools], ...options });
    others.push(started);
    return started;
  };

  beforeAll(async () => {
    server = await startServer({ adapter, imports: [HostModule], providers: [Tools] });
    ({ url } = server);
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
  });
  afterAll(() => server.close());

  describe('methods', () => {
    it('answers server/discover with what there is', async () => {
      const result = resultOf(await send(url, 'server/discover'));
      expect(result).toEqual({
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: {
          logging: {},
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
        },
        ttlMs: 0,
        cacheScope: 'public',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1.0.0' } },
      });
    });

    it('announces no capability without a handler', async () => {
      const bare = await start({ providers: [] });
      expect(resultOf(await send(bare.url, 'server/discover'))).toHaveProperty('capabilities', {});
      expect(resultOf(await send(bare.url, 'tools/list'))['tools']).toEqual([]);
    });

    it('lists in the order of declaration, with cache hints', async () => {
      expect(resultOf(await send(url, 'tools/list'))).toMatchObject({
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'public',
        tools: [{ name: 'echo' }, { name: 'report' }, { name: 'wait' }],
      });
      expect(resultOf(await send(url, 'prompts/list'))['prompts']).toEqual([
        {
          name: 'greet',
          title: 'Greeting',
          description: 'Greets',
          arguments: [{ name: 'name', description: 'Whom', required: true }],
        },
      ]);
      expect(resultOf(await send(url, 'resources/list'))['resources']).toEqual([
        { uri: 'docs://größe', name: 'size', mimeType: 'text/plain' },
      ]);
      expect(resultOf(await send(url, 'resources/templates/list'))['resourceTemplates']).toEqual([
        { uriTemplate: 'docs://{page}{?lang}', name: 'page' },
      ]);
    });

    it('pages through a list with opaque cursors', async () => {
      const paged = await start({
        mcp: { lists: { pageSize: 2, ttlMs: 60_000, cacheScope: 'private' } },
      });
      const first = resultOf(await send(paged.url, 'tools/list'));
      expect(first).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
      expect(first['tools']).toHaveLength(2);
      const cursor = first['nextCursor'];
      expect(cursor).toEqual(expect.stringMatching(/^[A-Za-z0-9_-]+$/));
      const second = resultOf(await send(paged.url, 'tools/list', { cursor }));
      expect(second['tools']).toMatchObject([{ name: 'wait' }]);
      expect(second['nextCursor']).toBeUndefined();
      for (const bad of ['', 'x', 5, null]) {
        const response = await send(paged.url, 'tools/list', { cursor: bad });
        expect(response.status).toBe(400);
        expect(errorOf(response).code).toBe(-32602);
      }
      expect(errorOf(await send(paged.url, 'prompts/list', { cursor })).code).toBe(-32602);
    });

    it('reads resources by uri and by template, percent-decoded', async () => {
      const read = async (uri: string): Promise<unknown> =>
        resultOf(
          await send(url, 'resources/read', { uri }, { headers: { 'mcp-name': encoded(uri) } }),
        );
      expect(await read('docs://größe')).toMatchObject({
        contents: [{ uri: 'docs://größe', mimeType: 'text/plain', text: 'groß' }],
        ttlMs: 0,
        cacheScope: 'private',
      });
      expect(await read('docs://a%20b%2Fc?lang=de')).toMatchObject({
        contents: [
          {
            uri: 'docs://a%20b%2Fc?lang=de',
            mimeType: 'application/json',
            text: '{"page":"a b/c","lang":"de"}',
          },
        ],
      });
    });

    it.each([
      ['tools/call', { name: 'nope' }, 'Unknown tool: nope', undefined],
      ['tools/call', { name: 'toString' }, 'Unknown tool: toString', undefined],
      ['prompts/get', { name: 'nope' }, 'Unknown prompt: nope', undefined],
      ['resources/read', { uri: 'nope://' }, 'Resource not found: nope://', { uri: 'nope://' }],
      ['tools/call', { name: 5 }, 'params.name must be a string.', undefined],
      ['tools/call', {}, 'params.name must be a string.', undefined],
      [
        'tools/call',
        { name: 'echo', arguments: [] },
        'params.arguments must be an object.',
        undefined,
      ],
    ])('refuses %s %j', async (method, params, text, data) => {
      const response = await send(url, method, params, {
        headers: { 'mcp-name': String(Object.values(params)[0] ?? 'x') },
      });
      expect(response.status).toBe(400);
      expect(errorOf(response)).toEqual({ code: -32602, message: text, ...(data && { data }) });
    });

    it('shows wrong arguments of a tool to the model, and of a prompt to the client', async () => {
      const tool = await callTool(url, 'echo', { text: 5, more: 1 });
      expect(resultOf(tool).isError).toBe(true);
      expect(textOf(tool)).toMatch(/^Invalid arguments for "echo": /);
      const prompt = await send(url, 'prompts/get', { name: 'greet', arguments: {} });
      expect(prompt.status).toBe(400);
      expect(errorOf(prompt)).toMatchObject({
        code: -32602,
        message: `Invalid arguments for "greet": must have required property 'name'.`,
      });
    });

    it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'unknown/method'])(
      'does not know %s',
      async (method) => {
        const response = await send(url, method);
        expect(response.status).toBe(404);
        expect(errorOf(response)).toEqual({ code: -32601, message: `Method not found: ${method}` });
      },
    );
  });

  describe('the envelope', () => {
    it.each([
      ['_meta', undefined],
      ['io.modelcontextprotocol/protocolVersion', undefined],
      ['io.modelcontextprotocol/protocolVersion', 5],
      ['io.modelcontextprotocol/clientCapabilities', undefined],
      ['io.modelcontextprotocol/clientCapabilities', { roots: 'x' }],
      ['io.modelcontextprotocol/clientInfo', { name: 'x' }],
      ['io.modelcontextprotocol/logLevel', 'loud'],
      ['progressToken', { a: 1 }],
    ])('is refused with %s of %j', async (key, value) => {
      const response =
        key === '_meta'
          ? await post(url, message('tools/list', {}), {
              'mcp-protocol-version': '2026-07-28',
              'mcp-method': 'tools/list',
            })
          : await send(url, 'tools/list', {}, { meta: { [key]: value } });
      expect(response.status).toBe(400);
      expect(errorOf(response)).toMatchObject({
        code: -32602,
        message: expect.stringContaining(key) as string,
      });
    });

    it('may leave out clientInfo', async () => {
      const response = await send(
        url,
        'tools/list',
        {},
        { meta: { 'io.modelcontextprotocol/clientInfo': undefined } },
      );
      expect(response.status).toBe(200);
    });

    it('names the versions it speaks', async () => {
      const response = await send(
        url,
        'tools/list',
        {},
        {
          headers: { 'mcp-protocol-version': 'v999.0.0' },
          meta: { 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' },
        },
      );
      expect(response.status).toBe(400);
      expect(errorOf(response)).toMatchObject({
        code: -32022,
        data: { supported: ['2026-07-28'], requested: 'v999.0.0' },
      });
    });

    it('tells a client of an earlier revision what is spoken here', async () => {
      const body = message(
        'initialize',
        {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'old', version: '1' },
        },
        0,
      );
      const response = await post(url, body);
      expect(response.status).toBe(400);
      expect(response.body.id).toBe(0);
      expect(errorOf(response)).toMatchObject({
        code: -32022,
        data: { supported: ['2026-07-28'], requested: '2025-11-25' },
      });
    });
  });

  describe('headers', () => {
    const mismatch = (response: WireResponse): string => {
      expect(response.status).toBe(400);
      expect(response.body.id).toBe(1);
      expect(errorOf(response).code).toBe(-32020);
      return errorOf(response).message;
    };

    it.each([
      ['mcp-protocol-version', undefined, 'MCP-Protocol-Version header is missing'],
      ['mcp-protocol-version', '2025-11-25', 'does not match body value "2026-07-28"'],
      ['mcp-method', undefined, 'Mcp-Method header is missing'],
      ['mcp-method', 'tools/list', 'does not match body value "tools/call"'],
      ['mcp-method', 'TOOLS/CALL', 'does not match'],
      ['mcp-name', undefined, 'Mcp-Name header is missing'],
      ['mcp-name', 'report', 'does not match body value "echo"'],
      ['mcp-name', '=?base64?ZWNobw?=', 'not valid Base64'],
      ['mcp-name', '=?base64?ZW!obw==?=', 'not valid Base64'],
      ['mcp-name', '=?base64?//8=?=', 'not valid Base64'],
      ['mcp-name', 'ZWNobw==', 'does not match'],
    ])('are compared: %s of %j', async (name, value, text) => {
      const response = await callTool(
        url,
        'echo',
        { text: 'x' },
        {},
        { headers: { [name]: value } },
      );
      expect(mismatch(response)).toContain(text);
    });

    it.each([['echo'], ['  echo  '], ['=?base64?ZWNobw==?=']])(
      'are decoded and trimmed: Mcp-Name %j',
      async (value) => {
        const response = await callTool(
          url,
          'echo',
          { text: 'x' },
          {},
          { headers: { 'mcp-name': value } },
        );
        expect(textOf(response)).toBe('x');
      },
    );

    it('name prompts and resources too', async () => {
      const prompt = await send(
        url,
        'prompts/get',
        { name: 'greet', arguments: { name: 'x' } },
        { headers: { 'mcp-name': 'other' } },
      );
      expect(mismatch(prompt)).toContain('Mcp-Name');
      const resource = await send(
        url,
        'resources/read',
        { uri: 'docs://a' },
        { headers: { 'mcp-name': 'docs://b' } },
      );
      expect(mismatch(resource)).toContain('Mcp-Name');
    });

    it('that other revisions use are ignored', async () => {
      const response = await callTool(
        url,
        'echo',
        { text: 'x' },
        {},
        { headers: { 'mcp-session-id': 's', 'last-event-id': '7' } },
      );
      expect(textOf(response)).toBe('x');
      expect(response.headers.get('mcp-session-id')).toBeNull();
    });
  });

  describe('HTTP itself', () => {
    it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('does not take %s', async (method) => {
      const response = await fetch(url, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32600 } });
    });

    it.each([
      ['origin', 'http://evil.example.com'],
      ['origin', 'null'],
      ['origin', 'http://localhost.evil.example.com'],
      ['host', 'evil.example.com'],
      ['host', 'evil.example.com:80'],
    ])('is refused with %s %s', async (name, value) => {
      // fetch() sets no Host of its own choosing.
      const response = await raw(
        server.port,
        `POST /mcp HTTP/1.1\r\nHost: ${name === 'host' ? value : '127.0.0.1'}\r\n${name === 'origin' ? `Origin: ${value}\r\n` : ''}Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 403 /);
      expect(response).toMatch(
        /"code":-32600,"message":"Forbidden: this (?:Host|Origin) is not allowed/,
      );
    });

    it.each(['http://localhost:5173', 'http://127.0.0.1', 'https://[::1]:8443'])(
      'takes pages of this machine: %s',
      async (origin) => {
        expect(
          (await callTool(url, 'echo', { text: 'x' }, {}, { headers: { origin } })).status,
        ).toBe(200);
      },
    );

    it('takes the origins and hosts it is told to, and no others', async () => {
      const open = await start({
        mcp: {
          http: {
            allowedOrigins: ['https://app.example.com'],
            allowedHosts: ['api.example.com', '127.0.0.1'],
          },
        },
      });
      const from = async (origin: string): Promise<number> =>
        (await callTool(open.url, 'echo', { text: 'x' }, {}, { headers: { origin } })).status;
      expect(await from('https://app.example.com')).toBe(200);
      expect(await from('http://localhost')).toBe(403);
      const any = await start({ mcp: { http: { allowedOrigins: ['*'], allowedHosts: ['*'] } } });
      expect(
        (
          await callTool(
            any.url,
            'echo',
            { text: 'x' },
            {},
            { headers: { origin: 'https://x.example' } },
          )
        ).status,
      ).toBe(200);
    });

    it.each([
      ['content-type', 'text/plain', 415],
      ['content-type', undefined, 415],
      ['accept', 'application/json', 406],
      ['accept', 'text/event-stream', 406],
      ['accept', 'application/json, text/event-stream;q=0', 406],
    ])('refuses %s %s', async (name, value, status) => {
      const body = new TextEncoder().encode(echo('x'));
      const response = await post(url, body, { ...echoHeaders, [name]: value });
      expect(response.status).toBe(status);
      expect(errorOf(response).code).toBe(-32600);
    });

    it.each([
      ['content-type', 'application/json; charset=utf-8'],
      ['content-type', 'Application/JSON'],
      ['accept', '*/*'],
      ['accept', 'text/event-stream;q=0.5, application/*'],
    ])('takes %s %s', async (name, value) => {
      expect((await post(url, echo('x'), { ...echoHeaders, [name]: value })).status).toBe(200);
    });

    it('answers one line of JSON', async () => {
      const response = await callTool(url, 'echo', { text: 'a\nb' });
      expect(response.headers.get('content-type')).toContain('application/json');
      expect(response.text).not.toContain('\n');
    });

    it('accepts notifications with 202 and nothing', async () => {
      const response = await post(
        url,
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: 1 },
        }),
      );
      expect(response.status).toBe(202);
      expect(response.text).toBe('');
    });
  });

  describe('bodies', () => {
    it.each([
      ['no JSON', '{"jsonrpc":', -32700],
      ['nothing', '', -32700],
      ['a batch', `[${echo('x')}]`, -32600],
      ['a string', '"x"', -32600],
      ['null', 'null', -32600],
      ['another version', JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'tools/list' }), -32600],
      ['a response', JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }), -32600],
      ['a null id', message('tools/list', {}, null), -32600],
      ['a fractional id', message('tools/list', {}, 1.5), -32600],
    ])('of %s are refused without an id', async (__, body, code) => {
      const response = await post(url, body, echoHeaders);
      expect(response.status).toBe(400);
      expect(errorOf(response).code).toBe(code);
      expect(response.body.id).toBeUndefined();
      expect(response.text).not.toMatch(/SyntaxError|node_modules|at /);
    });

    it.each([
      ['no method', { jsonrpc: '2.0', id: 'a' }],
      ['params that are a list', { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: [] }],
    ])('of %s are refused with their id', async (__, value) => {
      const response = await post(url, JSON.stringify(value), echoHeaders);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({ id: 'a', error: { code: -32600 } });
    });

    it.each([
      ['content-encoding', 'gzip', 415],
      ['content-encoding', 'identity', 200],
      ['content-type', 'application/json; charset=utf-16le', 415],
      ['content-type', 'application/json; charset="UTF-8"', 200],
    ])(
      'labelled with %s %s are read as what they are, or not at all',
      async (name, value, status) => {
        expect((await post(url, echo('x'), { ...echoHeaders, [name]: value })).status).toBe(status);
      },
    );

    it('arrive unharmed, whatever the chunks', async () => {
      const text = '€'.repeat(100_000);
      const bytes = Buffer.from(echo(text));
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += 4_099) chunks.push(bytes.subarray(at, at + 4_099));
      const head = Object.entries(echoHeaders)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join('');
      const response = await raw(
        server.port,
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n${head}Content-Type: application/json\r\nAccept: */*\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
        chunks
          .flatMap((chunk) => [
            Buffer.from(`${chunk.length.toString(16)}\r\n`),
            chunk,
            Buffer.from('\r\n'),
          ])
          .concat(Buffer.from('0\r\n\r\n')),
      );
      expect(response).toMatch(/^HTTP\/1\.1 200 /);
      const body = /\{.*\}/s.exec(response)?.[0] ?? '{}';
      const { result } = JSON.parse(body) as { result: { content: { text: string }[] } };
      expect(result.content[0]?.text).toBe(text);
    });

    it('over the limit are refused before they are read', async () => {
      const small = await start({ mcp: { http: { maxBodyBytes: 1_000 } } });
      const fits = await post(small.url, echo('x'.repeat(500)), echoHeaders);
      expect(fits.status).toBe(200);
      const announced = await raw(
        small.port,
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2000000000\r\n\r\n{`,
      );
      expect(announced).toMatch(/^HTTP\/1\.1 413 /);
      expect(announced).toContain('larger than 1000 bytes');
      const chunk = Buffer.from(`400\r\n${'x'.repeat(1_024)}\r\n`);
      const unannounced = await raw(
        small.port,
        'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        [chunk, chunk],
      );
      expect(unannounced).toMatch(/^HTTP\/1\.1 413 /);
      expect(unannounced).toContain('"code":-32600');
      expect((await post(small.url, echo('x'), echoHeaders)).status).toBe(200);
    });

    it('may be larger than the application’s own parsers allow', async () => {
      const text = 'x'.repeat(2_000_000);
      expect(textOf(await callTool(url, 'echo', { text }))).toHaveLength(2_000_000);
    });
  });

  describe('streams', () => {
    it('open with the first notification and end with the answer', async () => {
      const first = await callTool(url, 'report', {}, {}, { meta: { progressToken: 'p-1' } });
      expect(first.status).toBe(200);
      expect(first.headers.get('content-type')).toBe('text/event-stream');
      expect(first.headers.get('x-accel-buffering')).toBe('no');
      expect(first.headers.get('x-middleware')).toBe('yes');
      const [progress, answer] = eventsOf(first);
      expect(progress).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'p-1', progress: 1, total: 2, message: 'one' },
      });
      expect(answer?.result?.resultType).toBe('input_required');
      expect(
        first.text.split('\n').filter((line) => line !== '' && !line.startsWith('data: ')),
      ).toEqual([]);
    });

    it('do not repeat the progress of an earlier round', async () => {
      const first = await callTool(url, 'report', {}, {}, { meta: { progressToken: 7 } });
      const requestState = eventsOf(first).at(-1)?.result?.requestState;
      const second = await callTool(
        url,
        'report',
        {},
        { requestState, inputResponses: { 'elicit-1': { action: 'decline' } } },
        { meta: { progressToken: 8 } },
      );
      expect(eventsOf(second)).toMatchObject([
        { params: { progressToken: 8, progress: 2, message: 'two' } },
        { result: { content: [{ text: 'decline' }] } },
      ]);
    });

    it('are not opened without a progress token', async () => {
      const first = await callTool(url, 'report');
      expect(first.headers.get('content-type')).toContain('application/json');
      expect(stateOf(first)).toBeTruthy();
    });

    it('carry the progress of resources', async () => {
      const response = await send(
        url,
        'resources/read',
        { uri: 'docs://größe' },
        { headers: { 'mcp-name': encoded('docs://größe') }, meta: { progressToken: 1 } },
      );
      expect(eventsOf(response)[0]).toMatchObject({ params: { progress: 0.5, total: 1 } });
    });

    it('reach the official client', async () => {
      const client = await connect(url, { answer: () => ({ action: 'cancel' }) });
      const seen: unknown[] = [];
      const result = await client.callTool(
        { name: 'report', arguments: {} },
        { onprogress: (progress) => seen.push(progress) },
      );
      // Between the rounds the client reports that it answers questions.
      expect(seen.filter((progress) => 'total' in (progress as object))).toEqual([
        { progress: 1, total: 2, message: 'one' },
        { progress: 2, total: 2, message: 'two' },
      ]);
      expect(result.content).toEqual([{ type: 'text', text: 'cancel' }]);
      await client.close();
    });

    it.each([
      ['with an open stream', { progressToken: 1 }],
      ['before anything was sent', {}],
    ])(
      'abort the handler when the client goes away, and send nothing more (%s)',
      async (__, meta) => {
        const started = new Promise<void>((resolve) => {
          waiting = { started: resolve, ended: () => undefined };
        });
        const ended = new Promise<boolean>((resolve) => {
          if (waiting !== undefined) waiting.ended = resolve;
        });
        const controller = new AbortController();
        const call = callTool(url, 'wait', {}, {}, { meta, signal: controller.signal });
        const failed = expect(call).rejects.toThrow();
        await started;
        controller.abort();
        await failed;
        expect(await ended).toBe(true);
      },
    );

    it('say something while they are idle', async () => {
      const chatty = await start({ mcp: { http: { keepAliveMs: 5 } } });
      const controller = new AbortController();
      const response = await fetch(chatty.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: '*/*',
          ...echoHeaders,
          'mcp-name': 'wait',
        },
        body: message('tools/call', { name: 'wait', _meta: { ...ENVELOPE, progressToken: 1 } }),
        signal: controller.signal,
      });
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        text += decoder.decode(chunk);
        if (text.includes(': keep-alive\n\n')) break;
      }
      controller.abort();
      expect(text).toContain(': keep-alive\n\n');
    });
  });

  describe('in the host application', () => {
    it('leaves other routes alone', async () => {
      const response = await fetch(new URL('/plain', url));
      expect(await response.text()).toBe('plain');
      const missing = await fetch(new URL('/missing', url));
      expect(missing.status).toBe(404);
    });

    it('runs behind middleware', async () => {
      const response = await callTool(url, 'echo', { text: 'x' });
      expect(response.headers.get('x-middleware')).toBe('yes');
    });

    it('stays outside a global prefix, or goes under it', async () => {
      const outside = await start({ configure: (app) => app.setGlobalPrefix('api') });
      expect((await callTool(outside.url, 'echo', { text: 'x' })).status).toBe(200);
      const under = await start({
        mcp: { http: { useGlobalPrefix: true }, path: '/tools/mcp' },
        configure: (app) => app.setGlobalPrefix('/api/'),
      });
      expect((await callTool(under.url, 'echo', { text: 'x' })).status).toBe(404);
      const prefixed = under.url.replace('/tools', '/api/tools');
      expect(textOf(await callTool(prefixed, 'echo', { text: 'x' }))).toBe('x');
    });

    it.each([
      [VersioningType.URI, {}],
      [VersioningType.HEADER, { header: 'x-version' }],
      [VersioningType.MEDIA_TYPE, { key: 'v=' }],
    ])('does not care for versioning (%s)', async (type, rest) => {
      const versioned = await start({
        configure: (app) => app.enableVersioning({ type, defaultVersion: '1', ...rest } as never),
      });
      const response = await callTool(
        versioned.url,
        'echo',
        { text: 'x' },
        {},
        { headers: { 'x-version': '2' } },
      );
      expect(textOf(response)).toBe('x');
    });

    it('answers with the application’s CORS headers, on plain answers and streams', async () => {
      const cors = await start({
        mcp: { http: { allowedOrigins: ['https://app.example.com'] } },
        configure: (app) => app.enableCors({ origin: 'https://app.example.com' }),
      });
      const headers = { origin: 'https://app.example.com' };
      const plain = await callTool(cors.url, 'echo', { text: 'x' }, {}, { headers });
      expect(plain.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      const stream = await callTool(
        cors.url,
        'report',
        {},
        {},
        { headers, meta: { progressToken: 1 } },
      );
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
      expect(stream.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      const preflight = await fetch(cors.url, {
        method: 'OPTIONS',
        headers: { ...headers, 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    });

    it('gives the principal source what middleware left on the request', async () => {
      class MiddlewareSource extends McpPrincipalSource {
        override currentPrincipal({ request }: McpExchange): string | null {
          const { raw: node, user } = request as { raw?: { user?: string }; user?: string };
          return node?.user ?? user ?? null;
        }
      }
      @Injectable()
      class Who {
        @McpTool({ description: 'Who' })
        who(@McpContext() ctx: McpToolContext): string {
          return String(ctx.principal);
        }
      }
      const secured = await start({
        providers: [Who],
        mcp: { principalSource: { useClass: MiddlewareSource } },
        configure: (app) =>
          app.use((request: { user?: string }, __: unknown, next: () => void) => {
            request.user = 'ada';
            next();
          }),
      });
      expect(textOf(await callTool(secured.url, 'who'))).toBe('ada');
    });
  });

  it('serves requests at once without mixing them', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (__, index) =>
        callTool(
          url,
          'echo',
          { text: `text ${index}` },
          {},
          { id: index % 2 === 0 ? index : `id-${index}` },
        ),
      ),
    );
    for (const [index, response] of responses.entries()) {
      expect(response.body.id).toBe(index % 2 === 0 ? index : `id-${index}`);
      expect(textOf(response)).toBe(`text ${index}`);
    }
  });

  it('has logged no error of all that', () => {
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

function encoded(value: string): string {
  return `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/** Sends bytes over a socket of its own and resolves with all that comes back. */
function raw(port: number, head: string, chunks: Buffer[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectSocket(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8');
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer, after ${received}`)));
    socket.on('data', (text: string) => {
      received += text;
      // An answer to an unfinished request is all there will be.
      if (received.startsWith('HTTP/1.1 413')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    socket.write(head);
    for (const chunk of chunks) socket.write(chunk);
  });
}
