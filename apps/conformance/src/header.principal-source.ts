import { type McpExchange, McpPrincipalSource } from '@dacapo/mcp';

/** Believes the `x-principal` header: good for tests, and for nothing else. */
export class HeaderPrincipalSource extends McpPrincipalSource {
  override currentPrincipal(exchange: McpExchange): string | null {
    const principal = exchange.headers['x-principal'];
    return typeof principal === 'string' ? principal : null;
  }
}
