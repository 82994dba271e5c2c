import { McpParamtype } from './mcp-paramtype.js';
import { assignParam } from './param.decorator.js';

/** Injects an `AbortSignal` that aborts when the client goes away. */
export function McpSignal(): ParameterDecorator {
  return assignParam(McpParamtype.Signal, undefined, []);
}
