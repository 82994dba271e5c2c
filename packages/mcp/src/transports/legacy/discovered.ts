import { type DiscoverResult, McpMethod } from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { LegacyClient } from './legacy-client.js';
import type { LegacyExchange } from './legacy.exchange.js';
import { modernRequest } from './modern-request.js';

/** What the server says of itself. */
export async function discovered(
  dispatcher: McpDispatcher,
  client: LegacyClient,
  exchange: LegacyExchange,
): Promise<DiscoverResult> {
  const request = { id: 'discover', method: McpMethod.Discover };
  const discover = modernRequest(request, { client, logLevel: undefined });
  return (await dispatcher.result(discover, exchange)) as DiscoverResult;
}
