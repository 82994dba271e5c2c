import { MCP_SERVER_METADATA } from '../mcp.constants.js';
import { checkServerNames } from '../options/index.js';

/**
 * Says which servers of the application the handlers of a class belong to, by the `name` each was
 * given in `McpModule.forRoot({ name })`; `default` is the one without. It outranks
 * `McpModule.forFeature()`.
 * @throws InvalidOptionsException for no name, or what can be none
 */
export function McpServer(...names: readonly [string, ...string[]]): ClassDecorator {
  checkServerNames('name of @McpServer()', names);
  return (target) => Reflect.defineMetadata(MCP_SERVER_METADATA, names, target);
}
