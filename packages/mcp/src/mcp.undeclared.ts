import type { Provider } from '@nestjs/common';
import { McpChangeBus } from './changes/index.js';
import { InvalidOptionsException } from './exceptions/index.js';
import { McpVisibility } from './exchange/index.js';
import { MODULE_OPTIONS_TOKEN } from './mcp.module-definition.js';
import { MCP_NOTIFIER, MCP_SERVER_NAME } from './mcp.providers.js';
import { McpPrincipalSource } from './replay/index.js';

/**
 * What stands where `forRoot()` puts what it declares. A bare `McpModule` stops the boot here, and not
 * with Nest's words about a token that its author has never seen.
 */
export const undeclaredProviders: Provider[] = [
  MODULE_OPTIONS_TOKEN,
  MCP_SERVER_NAME,
  McpPrincipalSource,
  McpVisibility,
  McpChangeBus,
  MCP_NOTIFIER,
].map((provide) => ({ provide, useFactory: refuse }));

function refuse(): never {
  throw new InvalidOptionsException(
    'server',
    'is missing: McpModule is imported without options',
    'Import McpModule.forRoot({ server: { name, version } }) once, in the root module',
  );
}
