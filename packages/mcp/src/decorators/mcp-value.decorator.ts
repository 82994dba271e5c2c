import { McpParamtype } from './mcp-paramtype.js';
import { assignParam, type ParamPipe } from './param.decorator.js';

/** Injects what has been typed of the argument that an `@McpCompletion()` method completes. */
export function McpValue(...pipes: ParamPipe[]): ParameterDecorator {
  return assignParam(McpParamtype.Value, undefined, pipes);
}
