import { MCP_ARG_METADATA } from '../mcp.constants.js';
import type { McpCompleter } from './mcp-completer.js';
import { McpParamtype } from './mcp-paramtype.js';
import { assignParam, type ParamPipe } from './param.decorator.js';

/** How an argument of a prompt is listed, and what completes it. */
export interface McpArgOptions {
  title?: string;
  description?: string;
  /** `true` by default. */
  required?: boolean;
  /**
   * Suggestions while it is typed: a list, of which those that fit are sent, or a function, whose
   * answer is sent as it is. By default the values its type names, if it does. Only callers whom the
   * guards of the prompt or resource let in are told them.
   */
  complete?: readonly string[] | McpCompleter;
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
