import { MCP_COMPLETION_METADATA } from '../mcp.constants.js';
import { handlerDecorator, type HandlerOptions } from './handler.decorator.js';
import { refuseStandardDecorator } from './standard-decorator.js';

interface CompletionOptions extends Pick<HandlerOptions, 'timeoutMs' | 'maxConcurrent'> {
  /** Name of the prompt's argument, or of the template's variable. */
  argument: string;
}

/** Completes an argument of a prompt. */
export interface McpPromptCompletionOptions extends CompletionOptions {
  /** Name of the prompt. */
  prompt: string;
  resource?: undefined;
}

/** Completes a variable of a resource template. */
export interface McpResourceCompletionOptions extends CompletionOptions {
  /** Text of the template, as `uriTemplate` has it. */
  resource: string;
  prompt?: undefined;
}

/** What a completion is for: an argument of a prompt, or a variable of a template. */
export type McpCompletionOptions = McpPromptCompletionOptions | McpResourceCompletionOptions;

/**
 * Makes a method of a provider or controller complete an argument of a prompt or a variable of a
 * resource template. It returns suggestions (see `McpCompletions`); `@McpValue()` injects what has
 * been typed, `@McpArg()` and `@McpArgs()` the other arguments. Its own guards decide who may call it;
 * those of the prompt or resource do not run. Decorate a method twice, and it completes two arguments.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export function McpCompletion(options: McpCompletionOptions): MethodDecorator {
  return (target, methodName, descriptor) => {
    refuseStandardDecorator('McpCompletion', methodName);
    const others = (Reflect.getMetadata(MCP_COMPLETION_METADATA, descriptor.value as object) ??
      []) as McpCompletionOptions[];
    handlerDecorator('McpCompletion', MCP_COMPLETION_METADATA, [options, ...others])(
      target,
      methodName,
      descriptor,
    );
  };
}
