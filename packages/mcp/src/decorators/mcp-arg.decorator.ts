import { MCP_ARG_METADATA } from '../mcp.constants.js';
import { McpParamtype } from './mcp-paramtype.js';
import { assignParam, type ParamPipe } from './param.decorator.js';

/** How an argument of a prompt is listed. */
export interface McpArgOptions {
  title?: string;
  description?: string;
  /** `true` by default. */
  required?: boolean;
}

/** Injects one argument, or one variable of a resource template. */
export function McpArg(name: string, ...pipes: ParamPipe[]): ParameterDecorator;
/** Injects one argument, and says how it is listed. */
export function McpArg(
  name: string,
  options: McpArgOptions,
  ...pipes: ParamPipe[]
): ParameterDecorator;
export function McpArg(
  name: string,
  ...rest: readonly (McpArgOptions | ParamPipe)[]
): ParameterDecorator {
  const [first, ...others] = rest;
  const options = first === undefined || isPipe(first) ? {} : first;
  const pipes = (options === first ? others : rest) as ParamPipe[];
  const assign = assignParam(McpParamtype.Arg, name, pipes);
  return (target, methodName, index) => {
    assign(target, methodName, index);
    const key = methodName as string | symbol;
    const known = (Reflect.getMetadata(MCP_ARG_METADATA, target.constructor, key) ?? {}) as object;
    Reflect.defineMetadata(
      MCP_ARG_METADATA,
      { ...known, [index]: options },
      target.constructor,
      key,
    );
  };
}

function isPipe(value: McpArgOptions | ParamPipe): value is ParamPipe {
  return typeof value === 'function' || 'transform' in value;
}
