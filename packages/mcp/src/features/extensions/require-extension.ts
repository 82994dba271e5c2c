import { MissingRequiredClientCapabilityException } from '../../exceptions/index.js';
import { capabilitiesWith, type ClientFeature, type McpExchange } from '../../exchange/index.js';

/**
 * Sees to it that the client has declared an extension with this request.
 * @throws MissingRequiredClientCapabilityException
 */
export function requireExtension({ client, method }: McpExchange, identifier: string): void {
  const feature: ClientFeature = `extensions.${identifier}`;
  if (client.supports(feature)) return;
  throw new MissingRequiredClientCapabilityException(
    `This request of ${method} needs the extension ${identifier}, which the client did not declare in its capabilities. ` +
      'Declare it in params._meta["io.modelcontextprotocol/clientCapabilities"].extensions and repeat the request.',
    capabilitiesWith([feature]),
  );
}
