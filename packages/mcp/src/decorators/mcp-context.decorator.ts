import { McpParamtype } from './mcp-paramtype.js';
import { assignParam } from './param.decorator.js';

/**
 * Injects the context of the call: `McpToolContext`, `McpPromptContext`, `McpResourceContext` or
 * `McpCompletionContext`.
 */
export function McpContext(): ParameterDecorator {
  return assignParam(McpParamtype.Context, undefined, []);
}
