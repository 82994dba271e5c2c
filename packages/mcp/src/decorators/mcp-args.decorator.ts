import { McpParamtype } from './mcp-paramtype.js';
import { assignParam, type ParamPipe } from './param.decorator.js';

/** Injects all arguments; a DTO class as the parameter's type validates them. */
export function McpArgs(...pipes: ParamPipe[]): ParameterDecorator {
  return assignParam(McpParamtype.Args, undefined, pipes);
}
