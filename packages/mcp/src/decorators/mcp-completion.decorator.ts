import { MCP_COMPLETION_METADATA } from '../mcp.constants.js';
import { type HandlerOptions, type OptionNames, storeHandler } from './handler.decorator.js';
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

/** The options of a completion; others are refused. */
export const COMPLETION_OPTIONS = {
  prompt: true,
  resource: true,
  argument: true,
  timeoutMs: true,
  maxConcurrent: true,
} satisfies OptionNames<McpCompletionOptions>;

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
    const method = descriptor.value as object;
    const others = (Reflect.getMetadata(MCP_COMPLETION_METADATA, method) ??
      []) as McpCompletionOptions[];
    const all = [options, ...others];
    storeHandler('McpCompletion', MCP_COMPLETION_METADATA, all, target, methodName, method);
  };
}
