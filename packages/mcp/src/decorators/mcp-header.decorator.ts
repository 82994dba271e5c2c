import { MCP_HEADERS_METADATA } from '../mcp.constants.js';
import { refuseStandardDecorator } from './standard-decorator.js';

/**
 * Has clients mirror an argument of a tool in the header `Mcp-Param-{name}`, where gateways can route
 * on it without reading the body. The server holds header and argument against each other. On a
 * property of a DTO that is a string, an integer or a boolean; never for what is secret.
 * @param name of the header: letters, digits and `-`; unique in the tool, whatever the case
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export function McpHeader(name: string): PropertyDecorator {
  return (target, property) => {
    refuseStandardDecorator('McpHeader', property);
    const known = Reflect.getMetadata(MCP_HEADERS_METADATA, target) as
      ReadonlyMap<string, string> | undefined;
    const headers = new Map(known).set(String(property), name);
    Reflect.defineMetadata(MCP_HEADERS_METADATA, headers, target);
  };
}
