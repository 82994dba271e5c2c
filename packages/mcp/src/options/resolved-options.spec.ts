import { InvalidOptionsException } from '../exceptions/index.js';
import type { McpModuleOptions } from './mcp-module-options.interface.js';
import { ResolvedOptions } from './resolved-options.js';

const SERVER = { name: 'bank', version: '1.0.0' };

/** As a caller without types writes them. */
function resolve(options: object): ResolvedOptions {
  return new ResolvedOptions({ server: SERVER, ...options });
}

/** The options as an object without a class. */
function plain(options: ResolvedOptions): unknown {
  return Object.fromEntries(Object.entries(options));
}

function refusal(options: object): string {
  try {
    resolve(options);
  } catch (error) {
    if (error instanceof InvalidOptionsException) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

describe('options', () => {
  it('have a default each', () => {
    expect(plain(resolve({}))).toEqual({
      serverInfo: SERVER,
      instructions: undefined,
      secret: undefined,
      replay: {
        ttlMs: 300_000,
        maxAgeMs: 3_600_000,
        maxRounds: 64,
        maxStateBytes: 65_536,
        maxAttempts: 3,
        maxEntryBytes: 16_384,
        resultTtlMs: 300_000,
        onMismatch: 'reject',
        answers: 'strict',
      },
      transports: ['http'],
      stdio: {
        maxLineBytes: 4_194_304,
        maxInFlight: 1_000,
        graceMs: 5_000,
        maxBufferedBytes: 1_048_576,
      },
      http: {
        path: '/mcp',
        maxBodyBytes: 4_194_304,
        allowedOrigins: undefined,
        allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
        useGlobalPrefix: false,
        keepAliveMs: 15_000,
        maxBufferedBytes: 1_048_576,
      },
      legacy: 'off',
      sessions: { maxOpen: 1_000, idleMs: 1_800_000, maxAsks: 64, resumeMs: 10_000 },
      lists: { pageSize: 100, ttlMs: 0, cacheScope: 'public' },
      subscriptions: { maxOpen: 1_000, maxResources: 1_000 },
      name: 'default',
      maxResultBytes: 16_777_216,
      exposeErrors: false,
    });
  });

  it('are taken as they are given', () => {
    const options: McpModuleOptions = {
      server: {
        ...SERVER,
        title: 'Bank',
        description: 'A bank',
        instructions: 'Ask first.',
        icons: [{ src: 'https://example.com/icon.png' }],
        websiteUrl: 'https://example.com',
      },
      transports: ['stdio', 'http'],
      path: '/api/v1.2/mcp_server~x',
      replay: {
        secret: ['a', 'b'],
        ttlMs: 1,
        maxAgeMs: 2,
        maxRounds: 3,
        maxStateBytes: 4,
        maxAttempts: 5,
        maxEntryBytes: 6,
        resultTtlMs: 7,
        onMismatch: 'restart',
        answers: 'lenient',
      },
      http: {
        maxBodyBytes: 5,
        allowedOrigins: ['https://example.com'],
        allowedHosts: ['example.com'],
        useGlobalPrefix: true,
        keepAliveMs: 0,
        maxBufferedBytes: 7,
      },
      stdio: { maxLineBytes: 10, maxInFlight: 11, graceMs: 0, maxBufferedBytes: 12 },
      legacy: 'sessions',
      sessions: { maxOpen: 13, idleMs: 14, maxAsks: 15, resumeMs: 0 },
      lists: { pageSize: 1, ttlMs: 6, cacheScope: 'private' },
      subscriptions: { maxOpen: 8, maxResources: 9 },
      maxResultBytes: 10,
      exposeErrors: true,
    };
    const { instructions, ...serverInfo } = options.server;
    const { secret, ...replay } = options.replay ?? {};
    expect(plain(new ResolvedOptions(options, 'admin'))).toEqual({
      serverInfo,
      instructions,
      secret,
      replay,
      transports: options.transports,
      http: { path: options.path, ...options.http },
      stdio: options.stdio,
      legacy: 'sessions',
      sessions: options.sessions,
      lists: options.lists,
      subscriptions: options.subscriptions,
      name: 'admin',
      maxResultBytes: 10,
      exposeErrors: true,
    });
  });

  it('may be undefined one by one', () => {
    const undefinedOnes = {
      path: undefined,
      replay: { ttlMs: undefined, answers: undefined },
      http: { maxBodyBytes: undefined, allowedHosts: undefined, keepAliveMs: undefined },
      legacy: undefined,
      sessions: { maxOpen: undefined, resumeMs: undefined },
      lists: { cacheScope: undefined },
      exposeErrors: undefined,
    };
    expect(plain(resolve(undefinedOnes))).toEqual(plain(resolve({})));
  });

  it('are left as they were', () => {
    const options = Object.freeze({
      server: Object.freeze({ ...SERVER, instructions: 'x' }),
      replay: Object.freeze({}),
      http: Object.freeze({}),
    });
    const before = JSON.stringify(options);
    new ResolvedOptions(options);
    expect(JSON.stringify(options)).toBe(before);
  });

  it('never let instructions into what the server says of itself', () => {
    const { serverInfo } = resolve({ server: { ...SERVER, instructions: 'x' } });
    expect(serverInfo).toEqual(SERVER);
  });

  it.each<[string, string, object]>([
    ['no server', 'name', { server: undefined }],
    ['null as server', 'name', { server: null }],
    ['no name', 'name', { server: { version: '1' } }],
    ['an empty name', 'name', { server: { name: '', version: '1' } }],
    ['a name that is no text', 'name', { server: { name: 5, version: '1' } }],
    ['no version', 'version', { server: { name: 'bank' } }],
    ['an empty version', 'version', { server: { name: 'bank', version: '' } }],
    ['a version that is no text', 'version', { server: { name: 'bank', version: 1 } }],
  ])('stop the boot with %s', (_, member, options) => {
    expect(refusal(options)).toBe(
      `McpModule option server.${member} is missing. Give the server a name and a version.`,
    );
  });

  const COUNTS = [
    ['replay', 'ttlMs', 1],
    ['replay', 'maxAgeMs', 1],
    ['replay', 'maxRounds', 1],
    ['replay', 'maxStateBytes', 1],
    ['http', 'maxBodyBytes', 1],
    ['http', 'keepAliveMs', 0],
    ['stdio', 'maxLineBytes', 1],
    ['stdio', 'maxInFlight', 1],
    ['stdio', 'graceMs', 0],
    ['stdio', 'maxBufferedBytes', 1],
    ['sessions', 'maxOpen', 1],
    ['sessions', 'idleMs', 1],
    ['sessions', 'maxAsks', 1],
    ['sessions', 'resumeMs', 0],
    ['lists', 'pageSize', 1],
    ['lists', 'ttlMs', 0],
  ] as const;

  it.each(
    COUNTS.flatMap(([group, member, least]) =>
      [least - 1, -1, 1.5, Number.NaN, '5', null].map(
        (value) => [group, member, least, value] as const,
      ),
    ),
  )('stop the boot with %s.%s (at least %d) of %p', (group, member, least, value) => {
    expect(refusal({ [group]: { [member]: value } })).toBe(
      `McpModule option ${group}.${member} is ${String(value)}. Give an integer of at least ${least}.`,
    );
  });

  it.each(COUNTS)('take the least %s.%s: %d', (group, member, least) => {
    const resolved = resolve({ [group]: { [member]: least } });
    expect((resolved[group] as unknown as Record<string, unknown>)[member]).toBe(least);
  });

  it.each([
    ['replay', 'ttlMs', 2 ** 53, Number.MAX_SAFE_INTEGER],
    ['http', 'maxBodyBytes', Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER],
    // Node's timers can wait no longer, and would not wait at all.
    ['http', 'keepAliveMs', 2 ** 31, 2 ** 31 - 1],
    ['stdio', 'graceMs', 2 ** 31, 2 ** 31 - 1],
    ['sessions', 'resumeMs', 2 ** 31, 2 ** 31 - 1],
  ] as const)('stop the boot with %s.%s of %d, which is above %d', (group, member, value, most) => {
    expect(refusal({ [group]: { [member]: value } })).toBe(
      `McpModule option ${group}.${member} is ${value}. Give an integer of at most ${most}.`,
    );
    const resolved = resolve({ [group]: { [member]: most } });
    expect((resolved[group] as unknown as Record<string, unknown>)[member]).toBe(most);
  });

  it.each<[string, object, string]>([
    [
      'replay.answers',
      { replay: { answers: 'loose' } },
      'McpModule option replay.answers is "loose". Use "strict" or "lenient".',
    ],
    [
      'replay.answers',
      { replay: { answers: null } },
      'McpModule option replay.answers is null. Use "strict" or "lenient".',
    ],
    [
      'lists.cacheScope',
      { lists: { cacheScope: 'shared' } },
      'McpModule option lists.cacheScope is "shared". Use "public" or "private".',
    ],
    [
      'lists.cacheScope',
      { lists: { cacheScope: '' } },
      'McpModule option lists.cacheScope is "". Use "public" or "private".',
    ],
    [
      'legacy',
      { legacy: 'on' },
      'McpModule option legacy is "on". Use "off" or "stateless" or "sessions".',
    ],
    [
      'legacy',
      { legacy: true },
      'McpModule option legacy is true. Use "off" or "stateless" or "sessions".',
    ],
  ])('stop the boot with another word for %s', (_, options, message) => {
    expect(refusal(options)).toBe(message);
  });

  it.each([0, -1, 1.5, Number.NaN, '5'])('stop the boot with maxResultBytes %p', (value) => {
    expect(refusal({ maxResultBytes: value })).toBe(
      `McpModule option maxResultBytes is ${String(value)}. Give an integer of at least 1.`,
    );
  });
  it.each([[[]], [['http', 'http']], [['http', 'tcp']], ['stdio'], [null]])(
    'stop the boot with the transports %j',
    (transports) => {
      expect(refusal({ transports })).toBe(
        `McpModule option transports is ${JSON.stringify(transports)}. Give a list of "http", "stdio" or both.`,
      );
    },
  );

  it.each(['/mcp', '/a/b/c', '/MCP', '/a.b', '/~ada', '/a-b_c', '/1'])(
    'take the path %s',
    (path) => {
      expect(resolve({ path }).http.path).toBe(path);
    },
  );

  it.each([
    '',
    '/',
    'mcp',
    '/mcp/',
    '//mcp',
    '/a//b',
    '/mcp?x',
    '/mcp#x',
    '/:id',
    '/*',
    '/(a)',
    '/a b',
    '/größe',
    '/a%20b',
    'http://example.com/mcp',
    '/mcp\n',
  ])('stop the boot with the path %j', (path) => {
    expect(refusal({ path })).toBe(
      `McpModule option path is ${JSON.stringify(path)}. Use a plain path such as "/mcp".`,
    );
  });

  // As text they would be searched for parts of names: https://app.example.co would be let in.
  it.each(['allowedOrigins', 'allowedHosts'])(
    'stop the boot with text in place of a list: %s',
    (member) => {
      expect(refusal({ http: { [member]: 'https://app.example.com' } })).toContain(
        `McpModule option http.${member}`,
      );
    },
  );

  it.each(['allowedOrigins', 'allowedHosts'])(
    'stop the boot with a list of other things: %s',
    (member) => {
      expect(refusal({ http: { [member]: ['a', undefined] } })).toContain(
        `McpModule option http.${member}`,
      );
    },
  );

  // Browsers send neither a path nor a slash, so such an entry would never match.
  it.each(['https://app.example.com/', 'app.example.com', 'https://app.example.com/mcp'])(
    'stop the boot with an origin that is none: %s',
    (origin) => {
      expect(refusal({ http: { allowedOrigins: [origin] } })).toContain(
        'McpModule option http.allowedOrigins',
      );
    },
  );

  it('take * and null for origins', () => {
    expect(resolve({ http: { allowedOrigins: ['*', 'null'] } }).http.allowedOrigins).toEqual([
      '*',
      'null',
    ]);
  });

  it.each(['replay', 'http', 'stdio', 'sessions', 'lists'])(
    'stop the boot with null as %s, naming it',
    (group) => {
      expect(refusal({ [group]: null })).toContain(`McpModule option ${group}`);
    },
  );

  it('stop the boot with a misspelt one of sessions, naming those there are', () => {
    expect(refusal({ sessions: { maxOpened: 5 } })).toBe(
      'McpModule option sessions.maxOpened is not known. Use one of maxOpen, idleMs, maxAsks, resumeMs.',
    );
  });
});
