import { LEGACY_REVISIONS, type LegacyRevision, type Result } from '../../protocol/index.js';
import { legacyNotification, legacyResult } from './legacy-result.js';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const LINK = {
  type: 'resource_link',
  uri: 'docs://a',
  name: 'A',
  annotations: { audience: ['user'] },
};
const TEXT = { type: 'text', text: 'Done' };

/** As this revision writes it. */
function result(members: object): Result {
  return { resultType: 'complete', ...members };
}

describe('a result for a client of an earlier revision', () => {
  it.each([
    'tools/call',
    'tools/list',
    'prompts/get',
    'prompts/list',
    'resources/read',
    'unknown/method',
  ])('of %s has no type, and no hints for caches', (method) => {
    const modern = result({ ttlMs: 5, cacheScope: 'public', nextCursor: 'x' });
    expect(legacyResult(method, modern, '2025-11-25')).toStrictEqual({ nextCursor: 'x' });
  });

  it('keeps its meta without what the server says there of itself', () => {
    const modern = result({
      _meta: { [SERVER_INFO]: { name: 'bank', version: '1' }, [SUBSCRIPTION]: 's', trace: 'x' },
    });
    expect(legacyResult('prompts/list', modern, '2025-11-25')).toStrictEqual({
      _meta: { trace: 'x' },
    });
  });

  it.each([{}, { [SERVER_INFO]: { name: 'bank', version: '1' } }, { [SUBSCRIPTION]: 's' }])(
    'has no meta where only %j would be in it',
    (meta) => {
      expect(
        legacyResult('prompts/list', result({ _meta: meta, prompts: [] }), '2025-11-25'),
      ).toStrictEqual({ prompts: [] });
    },
  );

  it('is made without changing that of this revision', () => {
    const modern = result({ content: [LINK], structuredContent: 5, _meta: { [SERVER_INFO]: {} } });
    const before = structuredClone(modern);
    legacyResult('tools/call', modern, '2025-03-26');
    expect(modern).toEqual(before);
  });
});

describe('structured content for a client of an earlier revision', () => {
  it.each(LEGACY_REVISIONS)('of %s is an object', (revision) => {
    const members = { content: [TEXT], structuredContent: { plan: 'gold' } };
    expect(legacyResult('tools/call', result(members), revision)).toStrictEqual(members);
  });

  it.each([null, 5, 'x', true, [{ plan: 'gold' }]])(
    'is left to the text beside it where it is %j',
    (structuredContent) => {
      const modern = result({ content: [TEXT], structuredContent, isError: false });
      expect(legacyResult('tools/call', modern, '2025-11-25')).toStrictEqual({
        content: [TEXT],
        isError: false,
      });
    },
  );

  it('is what a tool returns, and no other member of that name', () => {
    const members = { structuredContent: 5 };
    expect(legacyResult('resources/read', result(members), '2025-11-25')).toStrictEqual(members);
  });
});

describe('a list of tools for a client of an earlier revision', () => {
  const TOOL = { name: 'open', inputSchema: { type: 'object' } };

  it('keeps the schema of what a tool returns where that is an object', () => {
    const tools = [{ ...TOOL, outputSchema: { type: 'object', properties: {} } }, TOOL];
    expect(legacyResult('tools/list', result({ tools }), '2025-11-25')).toStrictEqual({ tools });
  });

  it.each([{ type: 'array' }, { type: ['object', 'null'] }, { anyOf: [] }, {}, true, null])(
    'leaves out the schema %j, which is none of an object',
    (outputSchema) => {
      const modern = result({ tools: [{ ...TOOL, outputSchema }], nextCursor: 'x' });
      expect(legacyResult('tools/list', modern, '2025-11-25')).toStrictEqual({
        tools: [TOOL],
        nextCursor: 'x',
      });
    },
  );
});

describe('a link to a resource', () => {
  it.each<LegacyRevision>(['2025-11-25', '2025-06-18'])(
    'stays one for a client of %s',
    (revision) => {
      const content = [TEXT, LINK];
      expect(legacyResult('tools/call', result({ content }), revision)).toEqual({ content });
      const messages = [{ role: 'user', content: LINK }];
      expect(legacyResult('prompts/get', result({ messages }), revision)).toEqual({ messages });
    },
  );

  it('is the text of its uri for a client of 2025-03-26', () => {
    const text = { type: 'text', text: 'docs://a' };
    expect(
      legacyResult('tools/call', result({ content: [TEXT, LINK] }), '2025-03-26'),
    ).toStrictEqual({ content: [TEXT, text] });
    const messages = [
      { role: 'user', content: LINK },
      { role: 'assistant', content: TEXT },
    ];
    expect(
      legacyResult('prompts/get', result({ messages, description: 'x' }), '2025-03-26'),
    ).toStrictEqual({
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: TEXT },
      ],
      description: 'x',
    });
  });

  it('may stand in a message with content of no kind, which is passed on', () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'user', content: [LINK] },
    ];
    expect(legacyResult('prompts/get', result({ messages }), '2025-03-26')).toEqual({ messages });
  });
});

describe('a notification for a client of an earlier revision', () => {
  const PROGRESS = { jsonrpc: '2.0', method: 'notifications/progress' } as const;

  it('without params stays as it is', () => {
    expect(legacyNotification(PROGRESS)).toStrictEqual(PROGRESS);
  });

  it('names no subscription', () => {
    const params = { uri: 'docs://a', _meta: { [SUBSCRIPTION]: 's', trace: 'x' } };
    expect(legacyNotification({ ...PROGRESS, params })).toStrictEqual({
      ...PROGRESS,
      params: { uri: 'docs://a', _meta: { trace: 'x' } },
    });
  });

  it.each([{ _meta: { [SUBSCRIPTION]: 's' } }, { _meta: {} }, {}])(
    'has no params where %j are all',
    (params) => {
      expect(legacyNotification({ ...PROGRESS, params })).toStrictEqual(PROGRESS);
    },
  );

  it('keeps params without meta', () => {
    const notification = { ...PROGRESS, params: { progressToken: 1, progress: 0.5 } };
    expect(legacyNotification(notification)).toStrictEqual(notification);
  });
});
