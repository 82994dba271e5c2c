import { Inject } from '@nestjs/common';
import { McpNotifier } from './changes/index.js';
import { McpRegistry } from './features/registry/index.js';
import { DEFAULT_SERVER } from './mcp.constants.js';

/** Injection token of a server's notifier; of the server without a name it is `McpNotifier` itself. */
export function getMcpNotifierToken(server = DEFAULT_SERVER): string | typeof McpNotifier {
  return server === DEFAULT_SERVER ? McpNotifier : `McpNotifier:${server}`;
}

/** Injection token of a server's registry; of the server without a name it is `McpRegistry` itself. */
export function getMcpRegistryToken(server = DEFAULT_SERVER): string | typeof McpRegistry {
  return server === DEFAULT_SERVER ? McpRegistry : `McpRegistry:${server}`;
}

/** Injects the `McpNotifier` of a server that has a name. */
export function InjectMcpNotifier(server?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getMcpNotifierToken(server));
}

/** Injects the `McpRegistry` of a server that has a name. */
export function InjectMcpRegistry(server?: string): ParameterDecorator & PropertyDecorator {
  return Inject(getMcpRegistryToken(server));
}
