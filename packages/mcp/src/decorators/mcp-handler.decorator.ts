import { MCP_HANDLER_METADATA } from '../mcp.constants.js';
import { handlerDecorator } from './handler.decorator.js';

/**
 * Lets `McpRegistry` bind a method to tools, prompts, resources and completions at run time. The
 * method is in no list by itself; its guards, interceptors, pipes and parameters work as in every handler, and
 * `ctx.handlerName` tells it under which name it is called.
 */
export function McpHandler(): MethodDecorator {
  return handlerDecorator('McpHandler', MCP_HANDLER_METADATA, {});
}
