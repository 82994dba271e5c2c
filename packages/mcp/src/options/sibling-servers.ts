import { InvalidOptionsException } from '../exceptions/index.js';
import type { ResolvedOptions } from './resolved-options.js';

/**
 * Servers of one application must be told apart, by themselves and by their clients.
 * @throws InvalidOptionsException
 */
export function checkSiblings(servers: readonly ResolvedOptions[]): void {
  const twin = repeated(servers.map(({ name }) => name));
  if (twin !== undefined) {
    const times = servers.filter(({ name }) => name === twin).length;
    throw new InvalidOptionsException(
      `name ${JSON.stringify(twin)}`,
      `is that of ${times} servers: the application's modules hold McpModule ${times} times`,
      'Import it once, in the root module; for several servers give each a name and a path',
    );
  }
  const endpoints = servers.filter(({ transports }) => transports.includes('http'));
  const path = repeated(endpoints.map(({ http }) => http.path));
  if (path !== undefined) {
    const owners = endpoints.filter(({ http }) => http.path === path).map(({ name }) => name);
    throw new InvalidOptionsException(
      `path ${JSON.stringify(path)}`,
      `is that of ${owners.length} servers: ${owners.join(', ')}`,
      'Give each a path of its own',
    );
  }
  const onStdio = servers.filter(({ transports }) => transports.includes('stdio'));
  if (onStdio.length > 1) {
    throw new InvalidOptionsException(
      'transports',
      `has "stdio" in ${onStdio.length} servers: ${onStdio.map(({ name }) => name).join(', ')}`,
      'A process has one stdin and one stdout: leave it to one server',
    );
  }
}

function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index);
}
