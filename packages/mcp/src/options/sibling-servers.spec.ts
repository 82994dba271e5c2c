import { InvalidOptionsException } from '../exceptions/index.js';
import type { McpModuleOptions } from './mcp-module-options.interface.js';
import { ResolvedOptions } from './resolved-options.js';
import { checkSiblings } from './sibling-servers.js';

function server(name: string, options: Partial<McpModuleOptions> = {}): ResolvedOptions {
  return new ResolvedOptions({ server: { name: 'bank', version: '1.0.0' }, ...options }, name);
}

describe('The servers of one application', () => {
  it('share no path', () => {
    const servers = [server('a'), server('b')];
    expect(() => checkSiblings(servers)).toThrow(InvalidOptionsException);
    expect(() => checkSiblings(servers)).toThrow('path "/mcp" is that of 2 servers: a, b.');
    expect(() => checkSiblings([server('a'), server('b', { path: '/b' })])).not.toThrow();
  });

  it('need a path of their own only where they have an endpoint', () => {
    expect(() =>
      checkSiblings([server('a'), server('b', { transports: ['stdio'] })]),
    ).not.toThrow();
  });

  it.each<[string, string, Partial<McpModuleOptions>, string]>([
    [
      'that differ in case',
      '',
      { path: '/MCP' },
      'McpModule option path "/mcp" is that of 2 servers: a ("/mcp"), b ("/MCP"). ' +
        'Give each a path of its own; upper and lower case do not tell paths apart.',
    ],
    [
      'that are one under the prefix',
      '/api/',
      { path: '/api/mcp' },
      'McpModule option path "/api/mcp" is that of 2 servers: a, b. Give each a path of its own.',
    ],
    [
      'that are one under the prefix but for the case',
      'API',
      { path: '/api/mcp' },
      'McpModule option path "/API/mcp" is that of 2 servers: a ("/API/mcp"), b ("/api/mcp"). ' +
        'Give each a path of its own; upper and lower case do not tell paths apart.',
    ],
  ])('share no path, as Express takes it: none %s', (_, prefix, options, message) => {
    const a = server('a', { http: { useGlobalPrefix: true } });
    expect(() => checkSiblings([a, server('b', options)], prefix)).toThrow(new Error(message));
  });

  it('may share what one of them puts under the prefix', () => {
    const servers = [server('a', { http: { useGlobalPrefix: true } }), server('b')];
    expect(() => checkSiblings(servers, 'api')).not.toThrow();
    expect(() => checkSiblings(servers, '')).toThrow('is that of 2 servers: a, b');
  });

  it('leave stdio to one', () => {
    const servers = [
      server('a', { transports: ['stdio'] }),
      server('b'),
      server('c', { transports: ['http', 'stdio'], path: '/c' }),
    ];
    expect(() => checkSiblings(servers)).toThrow(InvalidOptionsException);
    expect(() => checkSiblings(servers)).toThrow(
      'McpModule option transports has "stdio" in 2 servers: a, c. A process has one stdin and one stdout: leave it to one server.',
    );
    expect(() => checkSiblings(servers.slice(1))).not.toThrow();
  });
});
