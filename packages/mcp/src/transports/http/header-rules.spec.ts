import {
  HeaderMismatchException,
  UnsupportedProtocolVersionException,
} from '../../exceptions/index.js';
import type { McpHeaders } from '../../exchange/index.js';
import type { JsonRpcRequest } from '../../protocol/index.js';
import { checkHeaders as checkHeadersOf } from './header-rules.js';

/** The members that name what the methods in these cases are about, as the method table has them. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
]);

function checkHeaders(given: McpHeaders, message: JsonRpcRequest): void {
  checkHeadersOf(given, message, NAMED.get(message.method));
}

const VERSION = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': VERSION };

function request(method: string, params: Record<string, unknown> = {}): JsonRpcRequest {
  return { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } };
}

function headers(method: string, rest: McpHeaders = {}): McpHeaders {
  return { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...rest };
}

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** Holds the header `Mcp-Name` against the name of a tool. */
function checkName(header: string | string[] | undefined, name: unknown): void {
  checkHeaders(headers('tools/call', { 'mcp-name': header }), request('tools/call', { name }));
}

describe('the mirrored headers', () => {
  it.each([
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'unknown/method',
  ])('of %s need no name', (method) => {
    expect(() => checkHeaders(headers(method), request(method))).not.toThrow();
  });

  it.each([
    ['tools/call', { name: 'open' }],
    ['prompts/get', { name: 'open' }],
    ['resources/read', { uri: 'open' }],
    ['tasks/get', { taskId: 'open' }],
  ])('of %s need the name', (method, params) => {
    expect(() =>
      checkHeaders(headers(method, { 'mcp-name': 'open' }), request(method, params)),
    ).not.toThrow();
    expect(() => checkHeaders(headers(method), request(method, params))).toThrow(
      new Error(
        `Header mismatch: the Mcp-Name header is missing. Send it with params.${NAMED.get(method)}.`,
      ),
    );
  });

  it.each<[string, McpHeaders]>([
    ['MCP-Protocol-Version', { 'mcp-method': 'tools/list' }],
    ['Mcp-Method', { 'mcp-protocol-version': VERSION }],
  ])('are required: %s', (name, given) => {
    expect(() => checkHeaders(given, request('tools/list'))).toThrow(HeaderMismatchException);
    expect(() => checkHeaders(given, request('tools/list'))).toThrow(
      new Error(
        `Header mismatch: the ${name} header is missing. Every request of 2026-07-28 carries it once.`,
      ),
    );
  });

  it.each<[string, McpHeaders]>([
    ['MCP-Protocol-Version', { 'mcp-protocol-version': [VERSION, VERSION] }],
    ['Mcp-Method', { 'mcp-method': ['tools/list', 'tools/list'] }],
  ])('are given once: %s', (name, given) => {
    expect(() => checkHeaders(headers('tools/list', given), request('tools/list'))).toThrow(
      new Error(`Header mismatch: the ${name} header is repeated. Send it once.`),
    );
  });

  it.each<[string, McpHeaders, string]>([
    [
      'another version',
      { 'mcp-protocol-version': '2025-11-25' },
      'MCP-Protocol-Version header value "2025-11-25" does not match body value "2026-07-28"',
    ],
    [
      'two versions in one',
      { 'mcp-protocol-version': '2026-07-28, 2026-07-28' },
      'MCP-Protocol-Version header value "2026-07-28, 2026-07-28" does not match body value "2026-07-28"',
    ],
    [
      'another method',
      { 'mcp-method': 'tools/call' },
      'Mcp-Method header value "tools/call" does not match body value "tools/list"',
    ],
    [
      'the method in capitals',
      { 'mcp-method': 'Tools/List' },
      'Mcp-Method header value "Tools/List" does not match body value "tools/list"',
    ],
    [
      'no method in it',
      { 'mcp-method': '' },
      'Mcp-Method header value "" does not match body value "tools/list"',
    ],
    [
      'an encoded method, which is for names only',
      { 'mcp-method': base64('tools/list') },
      `Mcp-Method header value "${base64('tools/list')}" does not match body value "tools/list"`,
    ],
  ])('may not have %s', (_, given, detail) => {
    expect(() => checkHeaders(headers('tools/list', given), request('tools/list'))).toThrow(
      new Error(`Header mismatch: ${detail}`),
    );
  });

  it('may have space around them', () => {
    const spaced = { 'mcp-protocol-version': ` ${VERSION}\t`, 'mcp-method': ' tools/list ' };
    expect(() => checkHeaders(spaced, request('tools/list'))).not.toThrow();
  });

  it('leave to the body what the body lacks', () => {
    const bare: JsonRpcRequest = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    const given = headers('tools/call', { 'mcp-name': 'open' });
    expect(() => checkHeaders(given, bare)).not.toThrow();
    expect(() => checkHeaders(given, { ...bare, params: { _meta: 5, name: 5 } })).not.toThrow();
  });

  it('of another revision pass, for the envelope to refuse', () => {
    const old = { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' };
    expect(() =>
      checkHeaders(
        headers('tools/list', { 'mcp-protocol-version': '2025-11-25' }),
        request('tools/list', { _meta: old }),
      ),
    ).not.toThrow();
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])(
    'of the method %s, which every object has, need no name',
    (method) => {
      expect(() => checkHeaders(headers(method), request(method))).not.toThrow();
    },
  );
});

describe('the header of a name', () => {
  it.each<[string, string]>([
    ['open', 'open'],
    ['a b', 'a b'],
    ['docs://a?b=c#d', 'docs://a?b=c#d'],
    [base64('open'), 'open'],
    [base64(''), ''],
    [base64('größe'), 'größe'],
    [base64('世界 😀'), '世界 😀'],
    [base64(' padded '), ' padded '],
    [base64('line1\nline2'), 'line1\nline2'],
    [base64('=?base64?literal?='), '=?base64?literal?='],
    ['=?BASE64?b3Blbg==?=', '=?BASE64?b3Blbg==?='],
    ['=?base64?', '=?base64?'],
    ['x=?base64?b3Blbg==?=', 'x=?base64?b3Blbg==?='],
  ])('%j is the name %j', (header, name) => {
    expect(() => checkName(header, name)).not.toThrow();
  });

  it.each<[string, string]>([
    ['open', 'close'],
    ['open', 'Open'],
    [base64('open'), 'close'],
    [base64('open'), base64('open')],
    ['', 'open'],
    ['open, open', 'open'],
  ])('%j is not the name %j', (header, name) => {
    expect(() => checkName(header, name)).toThrow(HeaderMismatchException);
    expect(() => checkName(header, name)).toThrow(
      `Header mismatch: Mcp-Name header value ${JSON.stringify(header.startsWith('=?') ? 'open' : header)} ` +
        `does not match body value ${JSON.stringify(name)}`,
    );
  });

  it.each([
    '=?base64?b3Blbg?=',
    '=?base64?b3Blbg=?=',
    '=?base64?b3 Blbg==?=',
    '=?base64?***?=',
    '=?base64?b3Blbg==b3Blbg==?=',
    '=?base64?_-8=?=',
    '=?base64?/w==?=',
    '=?base64?7aCA?=',
  ])('%j is no Base64 of UTF-8 text', (header) => {
    expect(() => checkName(header, 'open')).toThrow(
      new Error('Header mismatch: the Mcp-Name header is not valid Base64 of UTF-8 text'),
    );
  });

  it('is checked even when the body has no name', () => {
    expect(() => checkName('=?base64?***?=', undefined)).toThrow(HeaderMismatchException);
    expect(() => checkName(undefined, undefined)).toThrow(HeaderMismatchException);
  });

  // Header values are visible ASCII, space and tab; Node reads other bytes as Latin-1.
  it.each(['größe', 'a\u0080', 'a\u00ff'])('may not be raw when it is no ASCII: %j', (name) => {
    expect(() => checkName(name, name)).toThrow(HeaderMismatchException);
  });
});

describe('a request of an earlier revision', () => {
  it.each<[unknown, string]>([
    [{ protocolVersion: '2025-11-25' }, '2025-11-25'],
    [{ protocolVersion: '2025-11-25', _meta: {} }, '2025-11-25'],
    [{}, 'unknown'],
    [{ protocolVersion: 5 }, 'unknown'],
    [undefined, 'unknown'],
  ])('initialize with %j is told which version is spoken', (params, requested) => {
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params } as JsonRpcRequest;
    expect(() => checkHeaders({}, initialize)).toThrow(UnsupportedProtocolVersionException);
    try {
      checkHeaders({}, initialize);
    } catch (error) {
      expect((error as UnsupportedProtocolVersionException).data).toEqual({
        supported: [VERSION],
        requested,
      });
    }
  });

  it('initialize with an envelope is a request like any other', () => {
    expect(() => checkHeaders({}, request('initialize'))).toThrow(HeaderMismatchException);
    expect(() => checkHeaders(headers('initialize'), request('initialize'))).not.toThrow();
  });
});
