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
