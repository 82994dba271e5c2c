import fc from 'fast-check';
import type { McpHeaders } from '../exchange/index.js';
import { LEGACY_REVISIONS } from '../protocol/index.js';
import { isOfEarlierRevision } from './earlier-clients.js';

const KEY = 'io.modelcontextprotocol/protocolVersion';
const VERSION = 'mcp-protocol-version';

function request(method: string, params?: unknown): object {
  return { jsonrpc: '2.0', id: 1, method, ...(params !== undefined && { params }) };
}

const enveloped = (method: string, version: unknown = '2026-07-28'): object =>
  request(method, { _meta: { [KEY]: version } });

describe('A request with the envelope', () => {
  it.each(['2026-07-28', '2025-11-25', '2099-01-01', '', null, 5])(
    'is of this revision, which refuses the version %j where it does not speak it',
    (version) => {
      expect(isOfEarlierRevision(enveloped('tools/list', version), {})).toBe(false);
    },
  );

  it('is never taken for one of an earlier revision, whatever its method and headers', () => {
    const revision = fc.constantFrom('2026-07-28', ...LEGACY_REVISIONS);
    const method = fc.oneof(
      fc.constantFrom('initialize', 'ping', 'tools/call', 'logging/setLevel'),
      fc.string(),
    );
    const header = fc.oneof(revision, fc.string(), fc.array(revision), fc.constant(undefined));
    const headers = fc
      .tuple(
        fc.record({ [VERSION]: header, 'mcp-method': header, 'mcp-session-id': header }),
        fc.dictionary(fc.string(), header),
      )
      .map(([known, others]): McpHeaders => ({ ...others, ...known }));
    const members = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        method,
        headers,
        fc.oneof(revision, fc.jsonValue()),
        members,
        members,
        members,
        (name, given, version, ofRequest, ofParams, ofMeta) => {
          const _meta = { ...ofMeta, [KEY]: version };
          const value = { ...ofRequest, method: name, params: { ...ofParams, _meta } };
          expect(isOfEarlierRevision(value, given)).toBe(false);
        },
      ),
    );
  });
});

describe('A message without the envelope', () => {
  const METHODS = ['initialize', 'server/discover', 'tools/list', 'notifications/initialized'];

  it.each(METHODS)('is of an earlier revision where no header says another: %s', (method) => {
    expect(isOfEarlierRevision(request(method), {})).toBe(true);
  });

  it.each(LEGACY_REVISIONS.flatMap((revision) => METHODS.map((method) => [revision, method])))(
    'is of an earlier revision where its header says %s: %s',
    (revision, method) => {
      expect(isOfEarlierRevision(request(method), { [VERSION]: revision })).toBe(true);
      const given = { [VERSION]: revision, 'mcp-method': method };
      expect(isOfEarlierRevision(request(method), given)).toBe(true);
    },
  );

  it.each(METHODS)('is of this revision where its header says so: %s', (method) => {
    expect(isOfEarlierRevision(request(method), { [VERSION]: '2026-07-28' })).toBe(false);
  });

  it.each<string | string[]>(['tools/list', '', ['tools/list', 'tools/list']])(
    'is of this revision where it has the header of the method: %j',
    (method) => {
      expect(isOfEarlierRevision(request('tools/list'), { 'mcp-method': method })).toBe(false);
      const given = { 'mcp-method': method, [VERSION]: '2024-11-05' };
      expect(isOfEarlierRevision(request('tools/list'), given)).toBe(false);
    },
  );

  it.each<string | string[]>(['2024-11-05', '', ['2026-07-28', '2026-07-28']])(
    'is of an earlier revision, which refuses it, where its header says %j',
    (version) => {
      expect(isOfEarlierRevision(request('tools/list'), { [VERSION]: version })).toBe(true);
    },
  );

  it.each([
    null,
    5,
    [{ [KEY]: '2026-07-28' }],
    {},
    { _meta: null },
    { _meta: 5 },
    { _meta: [KEY] },
    { _meta: {} },
    { _meta: { progressToken: 1 } },
    { [KEY]: '2026-07-28' },
  ])('has none in the params %j', (params) => {
    expect(isOfEarlierRevision(request('tools/list', params), {})).toBe(true);
  });
});

describe('A body', () => {
  it.each([[[]], [[request('tools/list')]], [[enveloped('tools/list')]]])(
    'that is a list is of an earlier revision, as this one has none: %j',
    (value) => {
      expect(isOfEarlierRevision(value, {})).toBe(true);
      expect(isOfEarlierRevision(value, { [VERSION]: '2026-07-28' })).toBe(false);
    },
  );

  it('with an answer is of an earlier revision, as this one has none', () => {
    expect(isOfEarlierRevision({ jsonrpc: '2.0', id: 'a', result: {} }, {})).toBe(true);
  });

  it.each([undefined, null, 5, 'initialize', true])(
    'that is no message is left to this revision to refuse: %j',
    (value) => {
      expect(isOfEarlierRevision(value, {})).toBe(false);
    },
  );
});
