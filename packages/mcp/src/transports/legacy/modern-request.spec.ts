import type { LegacyClient } from './legacy-client.js';
import { modernRequest } from './modern-request.js';

const CLIENT: LegacyClient = {
  revision: '2025-06-18',
  info: { name: 'desk', version: '1.2' },
  capabilities: { elicitation: {} },
};
const ENVELOPE = { client: CLIENT, logLevel: undefined };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'desk', version: '1.2' },
};

function modernParams(params: Record<string, unknown>): Record<string, unknown> | undefined {
  return modernRequest({ id: 1, method: 'tools/call', params }, ENVELOPE).params;
}

describe('a request of an earlier revision', () => {
  it.each([0, 7, 'a', ''])('keeps its id %j, its method and its params', (id) => {
    const params = { name: 'open', arguments: { plan: 'gold' } };
    expect(modernRequest({ id, method: 'tools/call', params }, ENVELOPE)).toEqual({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { ...params, _meta: META },
    });
  });

  it('gets an envelope where it has no params', () => {
    expect(modernRequest({ id: 1, method: 'tools/list' }, ENVELOPE)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: { _meta: META },
    });
  });

  it('has no name of its client where that has not said it', () => {
    const client = { ...CLIENT, info: undefined };
    const { params } = modernRequest({ id: 1, method: 'tools/list' }, { ...ENVELOPE, client });
    expect(params).toStrictEqual({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      },
    });
  });

  it('asks for the log messages that its session asks for', () => {
    const envelope = { client: CLIENT, logLevel: 'warning' } as const;
    expect(modernRequest({ id: 1, method: 'tools/list' }, envelope).params).toEqual({
      _meta: { ...META, 'io.modelcontextprotocol/logLevel': 'warning' },
    });
  });

  it('asks for no log messages where its session has not', () => {
    expect(modernParams({})).toStrictEqual({ _meta: META });
  });

  it.each(['inputResponses', 'requestState', 'task'])(
    'loses %s, which means nothing in its revision',
    (name) => {
      expect(modernParams({ name: 'open', [name]: 'x' })).toEqual({ name: 'open', _meta: META });
    },
  );

  it('keeps a member of its arguments that is called like one that it loses', () => {
    const given = { requestState: 'x', task: {}, inputResponses: {} };
    expect(modernParams({ arguments: given })).toEqual({ arguments: given, _meta: META });
  });

  it('keeps its own meta', () => {
    const meta = { progressToken: 5, 'example.com/trace': 'x' };
    expect(modernParams({ _meta: meta })).toEqual({ _meta: { ...META, ...meta } });
  });

  it.each([
    ['protocolVersion', '2025-06-18'],
    ['clientCapabilities', { roots: {} }],
    ['clientInfo', { name: 'other', version: '1' }],
    ['logLevel', 'debug'],
    ['subscriptionId', 'x'],
  ])('cannot say io.modelcontextprotocol/%s itself', (name, value) => {
    expect(modernParams({ _meta: { [`io.modelcontextprotocol/${name}`]: value } })).toStrictEqual({
      _meta: META,
    });
  });

  it.each([null, 'x', [1], 5])('has the envelope in place of a meta that is %j', (meta) => {
    expect(modernParams({ _meta: meta })).toEqual({ _meta: META });
  });

  it('does not let a member change what other objects inherit', () => {
    const params = JSON.parse('{"__proto__":{"x":1},"_meta":{"__proto__":{"x":1}}}') as object;
    const modern = modernParams(params as Record<string, unknown>);
    expect(Object.getPrototypeOf(modern)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(modern?.['_meta'])).toBe(Object.prototype);
  });

  it('is left as it was', () => {
    const request = { id: 1, method: 'tools/call', params: { task: {}, _meta: { a: 1 } } };
    const before = structuredClone(request);
    modernRequest(request, ENVELOPE);
    expect(request).toEqual(before);
  });
});
