import type { McpExchange } from '../exchange/index.js';

/**
 * Tells who is calling. Provide your own with `McpModule.forRoot({ principalSource })`: it reads the
 * exchange (headers, the adapter's request) and answers with a stable identifier, or `null` for
 * nobody. Request state is bound to the answer. Throw an `UnauthorizedException` to turn a caller
 * away.
 */
export abstract class McpPrincipalSource {
  abstract currentPrincipal(exchange: McpExchange): string | null | Promise<string | null>;
}

/** The default: knows nobody, so that state is not bound to a caller. */
export class NobodyPrincipalSource extends McpPrincipalSource {
  override currentPrincipal(): null {
    return null;
  }
}
