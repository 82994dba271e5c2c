import type { ClientCapabilities } from '../protocol/index.js';
import { McpClient } from './mcp-client.js';
import { McpExchange } from './mcp-exchange.js';
import type { McpOrigin } from './mcp-origin.js';

/** A request of a unit spec, over HTTP and with nothing in it, where the spec says nothing else. */
export function someExchange(
  method: string,
  capabilities: ClientCapabilities = {},
  origin: Partial<McpOrigin> = {},
): McpExchange {
  const client = new McpClient(undefined, capabilities);
  return new McpExchange(1, method, '2026-07-28', client, {} as never, {
    transport: 'http',
    headers: {},
    request: undefined,
    cancelled: false,
    onCancel: () => undefined,
    notify: () => true,
    drop: () => undefined,
    ...origin,
  });
}
