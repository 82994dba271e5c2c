import { McpParamtype } from './mcp-paramtype.js';
import { assignParam } from './param.decorator.js';

/** Injects an `McpElicitor`, for handlers that only ask. */
export function McpElicit(): ParameterDecorator {
  return assignParam(McpParamtype.Elicitor, undefined, []);
}
