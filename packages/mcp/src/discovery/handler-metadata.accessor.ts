import type { Type } from '@nestjs/common';
import {
  type McpArgOptions,
  type McpCompletionOptions,
  McpParamtype,
  type McpPromptOptions,
  type McpResourceOptions,
  type McpToolOptions,
  type ToolExtensionOptions,
} from '../decorators/index.js';
import {
  MCP_ARG_METADATA,
  MCP_COMPLETION_METADATA,
  MCP_HANDLER_METADATA,
  MCP_PROMPT_METADATA,
  MCP_RESOURCE_METADATA,
  MCP_TOOL_EXTENSIONS_METADATA,
  MCP_TOOL_METADATA,
  PARAMTYPES_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
} from '../mcp.constants.js';
import type { HandlerParam } from './discovered-handler.js';

/** What the decorators left on a method; a method may be a handler of several kinds. */
export interface HandlerMetadata {
  readonly tool?: McpToolOptions;
  readonly prompt?: McpPromptOptions;
  readonly resource?: McpResourceOptions;
  readonly completions: readonly McpCompletionOptions[];
}

type Method = (...args: unknown[]) => unknown;

/** Decorated parameters, ours and others'. */
type RouteArguments = Readonly<
  Record<string, { index: number; data?: unknown; pipes?: readonly unknown[]; decorator?: string }>
>;

/** Reads what the decorators wrote; it finds and holds nothing. */
export class HandlerMetadataAccessor {
  /** `undefined` for a method that is no handler. */
  read(method: Method): HandlerMetadata | undefined {
    const read = (key: string): unknown => Reflect.getMetadata(key, method);
    const tool = read(MCP_TOOL_METADATA) as McpToolOptions | undefined;
    const prompt = read(MCP_PROMPT_METADATA) as McpPromptOptions | undefined;
    const resource = read(MCP_RESOURCE_METADATA) as McpResourceOptions | undefined;
    const completions = (read(MCP_COMPLETION_METADATA) ?? []) as readonly McpCompletionOptions[];
    const declared = [tool, prompt, resource].some((options) => options !== undefined);
    if (!declared && completions.length === 0) return undefined;
    return {
      ...(tool !== undefined && { tool }),
      ...(prompt !== undefined && { prompt }),
      ...(resource !== undefined && { resource }),
      completions,
    };
  }

  /** Whether a method was made a handler, of any kind or of none yet. */
  isHandler(method: Method): boolean {
    return this.read(method) !== undefined || Reflect.hasMetadata(MCP_HANDLER_METADATA, method);
  }

  /** What decorators of extensions say of a method. */
  extensions(method: Method): readonly ToolExtensionOptions[] {
    return (Reflect.getMetadata(MCP_TOOL_EXTENSIONS_METADATA, method) ??
      []) as readonly ToolExtensionOptions[];
  }

  /**
   * A parameter decorator of ours on a method of the class itself, as it is written; `undefined` for
   * none. What a base class says of a method that was replaced does not count.
   */
  paramDecorator(classRef: Type<object>, methodName: string): string | undefined {
    const own = (Reflect.getOwnMetadata(ROUTE_ARGS_METADATA, classRef, methodName) ??
      {}) as RouteArguments;
    return Object.values(own).find(({ decorator }) => decorator !== undefined)?.decorator;
  }

  /** Decorated parameters in order. */
  params(classRef: Type<object>, methodName: string, method: Method): readonly HandlerParam[] {
    const types = this.paramtypes(classRef, methodName);
    const piped = [classRef, method].some((target) => hasPipes(target));
    const options = (Reflect.getMetadata(MCP_ARG_METADATA, classRef, methodName) ?? {}) as Record<
      number,
      McpArgOptions
    >;
    return Object.entries(this.routeArguments(classRef, methodName))
      .map(([key, { index, data, pipes = [] }]) => ({
        index,
        paramtype: toParamtype(key),
        ...(typeof data === 'string' && { name: data }),
        options: options[index] ?? {},
        piped: piped || pipes.length > 0,
        type: types[index],
      }))
      .sort((a, b) => a.index - b.index);
  }

  /** How many parameters the method declares, decorated or not. */
  arity(classRef: Type<object>, methodName: string, method: Method): number {
    return Math.max(method.length, this.paramtypes(classRef, methodName).length);
  }

  private paramtypes(classRef: Type<object>, methodName: string): readonly unknown[] {
    return (Reflect.getMetadata(PARAMTYPES_METADATA, classRef.prototype as object, methodName) ??
      []) as unknown[];
  }

  private routeArguments(classRef: Type<object>, methodName: string): RouteArguments {
    return (Reflect.getMetadata(ROUTE_ARGS_METADATA, classRef, methodName) ?? {}) as RouteArguments;
  }
}

function hasPipes(target: object): boolean {
  return ((Reflect.getMetadata(PIPES_METADATA, target) ?? []) as unknown[]).length > 0;
}

function toParamtype(key: string): HandlerParam['paramtype'] {
  const number = Number(key.split(':')[0]);
  return Object.values(McpParamtype).find((paramtype) => paramtype === number) ?? 'custom';
}
