import type { Type } from '@nestjs/common';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import type {
  McpArgOptions,
  McpCompletionOptions,
  McpParamtype,
  McpPromptOptions,
  McpResourceOptions,
  McpToolOptions,
  ToolExtensionOptions,
} from '../decorators/index.js';

/** A parameter of a handler, as its decorator and its type describe it. */
export interface HandlerParam {
  readonly index: number;
  /** `custom` for the user's own parameter decorators. */
  readonly paramtype: McpParamtype | 'custom';
  /** The name given to `@McpArg()`. */
  readonly name?: string;
  readonly options: McpArgOptions;
  /** Whether a pipe of the parameter, the method or the class may make something else of it. */
  readonly piped: boolean;
  /** The class TypeScript saw; `Object` for interfaces and unions. */
  readonly type: unknown;
}

/** A decorated method and where it lives. */
export interface HandlerHost {
  readonly wrapper: InstanceWrapper;
  /** Which of the module's collections holds the wrapper. */
  readonly collection: 'providers' | 'controllers';
  readonly classRef: Type<object>;
  readonly methodName: string;
  readonly params: readonly HandlerParam[];
  /** The servers it is assigned to; `undefined` when nothing says. */
  readonly servers: readonly string[] | undefined;
  /** What extensions have to do with it. */
  readonly extensions?: readonly ToolExtensionOptions[];
}

/** Class and method, for logs and messages. */
export function handlerSource({ classRef, methodName }: HandlerHost): string {
  return `${classRef.name}.${methodName}`;
}

export interface ToolHandler {
  readonly kind: 'tool';
  readonly host: HandlerHost;
  readonly options: McpToolOptions;
}

export interface PromptHandler {
  readonly kind: 'prompt';
  readonly host: HandlerHost;
  readonly options: McpPromptOptions;
}

export interface ResourceHandler {
  readonly kind: 'resource';
  readonly host: HandlerHost;
  readonly options: McpResourceOptions;
}

export interface CompletionHandler {
  readonly kind: 'completion';
  readonly host: HandlerHost;
  readonly options: McpCompletionOptions;
}

export type DiscoveredHandler = ToolHandler | PromptHandler | ResourceHandler | CompletionHandler;
