import { InvalidOptionsException } from '../exceptions/index.js';
import { endpointPath } from './endpoint-path.js';
import type { ResolvedOptions } from './resolved-options.js';

/**
 * Servers of one application must be told apart, by themselves and by their clients.
 * @param globalPrefix of the application
 * @throws InvalidOptionsException
 */
export function checkSiblings(servers: readonly ResolvedOptions[], globalPrefix = ''): void {
  const twin = repeated(servers.map(({ name }) => name));
  if (twin !== undefined) {
    const times = servers.filter(({ name }) => name === twin).length;
    throw new InvalidOptionsException(
      `name ${JSON.stringify(twin)}`,
      `is that of ${times} servers: the application's modules hold McpModule ${times} times`,
      'Import it once, in the root module; for several servers give each a name and a path',
    );
  }
  checkPaths(
    servers.filter(({ transports }) => transports.includes('http')),
    globalPrefix,
  );
  const onStdio = servers.filter(({ transports }) => transports.includes('stdio'));
  if (onStdio.length > 1) {
    throw new InvalidOptionsException(
      'transports',
      `has "stdio" in ${onStdio.length} servers: ${onStdio.map(({ name }) => name).join(', ')}`,
      'A process has one stdin and one stdout: leave it to one server',
    );
  }
}

/** Compares as Express does by default, whatever the adapter: case does not tell paths apart. */
function checkPaths(servers: readonly ResolvedOptions[], globalPrefix: string): void {
  const endpoints = servers.map(({ name, http }) => {
    const path = endpointPath(http, globalPrefix);
    return { name, path, key: path.toLowerCase() };
  });
  const key = repeated(endpoints.map((endpoint) => endpoint.key));
  const owners = endpoints.filter((endpoint) => endpoint.key === key);
  const [first] = owners;
  if (first === undefined) return;
  const isSpeltAlike = owners.every(({ path }) => path === first.path);
  throw new InvalidOptionsException(
    `path ${JSON.stringify(first.path)}`,
    `is that of ${owners.length} servers: ${owners
      .map(({ name, path }) => (isSpeltAlike ? name : `${name} (${JSON.stringify(path)})`))
      .join(', ')}`,
    isSpeltAlike
      ? 'Give each a path of its own'
      : 'Give each a path of its own; upper and lower case do not tell paths apart',
  );
}

function repeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) < index);
}
