import type { ResolvedOptions } from '../../options/index.js';
import { type DiscoverResult, McpMethod } from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import { type InitializeResult, initializeResult } from './initialize-result.js';
import type { LegacyClient } from './legacy-client.js';
import type { LegacyExchange } from './legacy.exchange.js';
import { modernRequest } from './modern-request.js';

/**
 * What the server says of itself to a client that begins.
 * @param isSession whether anything can be told the client that it has not asked for
 * @throws McpException
 */
export async function initialize(
  dispatcher: McpDispatcher,
  { serverInfo }: ResolvedOptions,
  client: LegacyClient,
  exchange: LegacyExchange,
  isSession: boolean,
): Promise<InitializeResult> {
  const request = { id: 'discover', method: McpMethod.Discover };
  const discover = modernRequest(request, { client, logLevel: undefined });
  const found = (await dispatcher.result(discover, exchange)) as DiscoverResult;
  return initializeResult(found, serverInfo, client.revision, isSession);
}
