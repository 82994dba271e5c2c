import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { HandlerDefinitionException } from '../exceptions/index.js';
import { DEFAULT_SERVER, MCP_FEATURE_SERVERS, MCP_SERVER_METADATA } from '../mcp.constants.js';
import type { HandlerHost } from './discovered-handler.js';

/**
 * The servers a provider's handlers are assigned to: by `@McpServer()` on the class, or else by the
 * `McpModule.forFeature()` of its module; `undefined` when nothing says.
 */
export function assignedServers(
  wrapper: InstanceWrapper,
  classRef: Type<object>,
): readonly string[] | undefined {
  const byClass = Reflect.getMetadata(MCP_SERVER_METADATA, classRef) as string[] | undefined;
  return byClass ?? byModule(wrapper);
}

function byModule({ host }: InstanceWrapper): readonly string[] | undefined {
  const features = [...(host?.imports ?? [])].filter(({ providers }) =>
    providers.has(MCP_FEATURE_SERVERS),
  );
  if (features.length === 0) return undefined;
  return features.flatMap(
    ({ providers }) => providers.get(MCP_FEATURE_SERVERS)?.instance as readonly string[],
  );
}

/**
 * The servers a handler is served by: those it is assigned to, or else the one without a name, or the
 * only one.
 * @param names of every server of the application
 * @throws HandlerDefinitionException when nobody would serve it
 */
export function serversOf(host: HandlerHost, names: readonly string[]): readonly string[] {
  const { classRef, methodName, servers } = host;
  const known = names.join(', ');
  if (servers === undefined) {
    if (names.length === 1) return names;
    if (names.includes(DEFAULT_SERVER)) return [DEFAULT_SERVER];
    throw new HandlerDefinitionException(
      classRef.name,
      methodName,
      `nothing says which of the servers it belongs to: ${known}`,
      'Decorate the class with @McpServer(name), or import McpModule.forFeature(name) in its module',
    );
  }
  const missing = servers.find((name) => !names.includes(name));
  if (missing === undefined) return servers;
  throw new HandlerDefinitionException(
    classRef.name,
    methodName,
    `it is assigned to the server "${missing}", and there are only: ${known}`,
    'Correct the name, or declare the server with McpModule.forRoot({ name })',
  );
}
