import { type DiscoverResult, LEGACY_REVISIONS } from '../../protocol/index.js';
import { initializeResult } from './initialize-result.js';

const SERVER = { name: 'bank', version: '1.0.0' };
const EVERYTHING = {
  experimental: { x: {} },
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
};

function discovered(members: Partial<DiscoverResult> = {}): DiscoverResult {
  return {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    ttlMs: 0,
    cacheScope: 'public',
    ...members,
  };
}

describe('the result of initialize', () => {
  it.each(LEGACY_REVISIONS)('says %s, which was agreed on, and who the server is', (revision) => {
    expect(initializeResult(discovered(), SERVER, revision, true)).toStrictEqual({
      protocolVersion: revision,
      capabilities: {},
      serverInfo: SERVER,
    });
  });

  it.each([true, false])('has the instructions of the server (in a session: %p)', (isSession) => {
    const found = discovered({ instructions: 'Ask first.' });
    expect(initializeResult(found, SERVER, '2025-06-18', isSession)).toStrictEqual({
      protocolVersion: '2025-06-18',
      capabilities: {},
      serverInfo: SERVER,
      instructions: 'Ask first.',
    });
  });

  it('has instructions that are empty, which are not none', () => {
    const found = discovered({ instructions: '' });
    expect(initializeResult(found, SERVER, '2025-06-18', true).instructions).toBe('');
  });
});

describe('the capabilities in the result of initialize', () => {
  it.each([EVERYTHING, { tools: {} }, {}])('of a session are %j', (capabilities) => {
    const found = discovered({ capabilities });
    expect(initializeResult(found, SERVER, '2025-11-25', true).capabilities).toStrictEqual(
      capabilities,
    );
  });

  it.each([true, false])('have no extensions (in a session: %p)', (isSession) => {
    const found = discovered({ capabilities: { extensions: { 'a/jobs': {} } } });
    expect(initializeResult(found, SERVER, '2025-11-25', isSession).capabilities).toStrictEqual({});
  });

  it('promise nothing without a session that the client would not hear', () => {
    const found = discovered({ capabilities: EVERYTHING });
    expect(initializeResult(found, SERVER, '2025-11-25', false).capabilities).toStrictEqual({
      completions: {},
      prompts: {},
      resources: {},
      tools: {},
    });
  });

  it.each(['completions', 'prompts', 'resources', 'tools'] as const)(
    'have %s alone without a session where the server has nothing else',
    (name) => {
      const found = discovered({ capabilities: { [name]: {} } });
      expect(initializeResult(found, SERVER, '2025-11-25', false).capabilities).toStrictEqual({
        [name]: {},
      });
    },
  );
});
