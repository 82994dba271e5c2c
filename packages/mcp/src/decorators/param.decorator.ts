import type { PipeTransform, Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '../mcp.constants.js';
import { McpParamtype } from './mcp-paramtype.js';

/** A pipe instance or class, as in Nest's own parameter decorators. */
export type ParamPipe = PipeTransform | Type<PipeTransform>;

const DECORATORS: Readonly<Record<McpParamtype, string>> = {
  [McpParamtype.Args]: '@McpArgs()',
  [McpParamtype.Arg]: '@McpArg()',
  [McpParamtype.Context]: '@McpContext()',
  [McpParamtype.Elicitor]: '@McpElicit()',
  [McpParamtype.Principal]: '@McpPrincipal()',
  [McpParamtype.Signal]: '@McpSignal()',
  [McpParamtype.Value]: '@McpValue()',
};

/**
 * Stores what a parameter receives, where Nest looks for it, and by which decorator: the paramtype
 * alone does not tell `@McpArgs()` from `@Body()`.
 */
export function assignParam(
  paramtype: McpParamtype,
  data: string | undefined,
  pipes: readonly ParamPipe[],
): ParameterDecorator {
  return (target, methodName, index) => {
    const key = methodName as string | symbol;
    const params = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) ??
      {}) as object;
    Reflect.defineMetadata(
      ROUTE_ARGS_METADATA,
      {
        ...params,
        [`${paramtype}:${index}`]: { index, data, pipes, decorator: DECORATORS[paramtype] },
      },
      target.constructor,
      key,
    );
  };
}
