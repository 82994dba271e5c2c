import { type McpExchange, McpPrincipalSource } from '@dacapo/mcp';

/** Believes whoever calls: the principal is in a header. */
export class HeaderPrincipalSource extends McpPrincipalSource {
  override currentPrincipal({ headers }: McpExchange): string | null {
    return headers['x-user']?.toString() ?? null;
  }
}
