import { MCP_PROMPT_METADATA } from '../mcp.constants.js';
import type { Icon } from '../protocol/index.js';
import type { SchemaSource } from '../schema/index.js';
import {
  HANDLER_OPTIONS,
  handlerDecorator,
  type HandlerOptions,
  type OptionNames,
} from './handler.decorator.js';

/** How a prompt is listed, what it accepts and what a call of it may take. */
export interface McpPromptOptions extends HandlerOptions {
  /** The method's name by default. */
  name?: string;
  /**
   * What the prompt accepts; its arguments are strings on the wire. By default the DTO class of the
   * `@McpArgs()` parameter, or the `@McpArg()` parameters one by one.
   */
  input?: SchemaSource;
  icons?: Icon[];
}

/** The options of a prompt; others are refused. */
export const PROMPT_OPTIONS = {
  ...HANDLER_OPTIONS,
  name: true,
  input: true,
  icons: true,
} satisfies OptionNames<McpPromptOptions>;

/**
 * Makes a method of a provider or controller a prompt.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function McpPrompt(options: McpPromptOptions = {}): MethodDecorator {
  return handlerDecorator('McpPrompt', MCP_PROMPT_METADATA, options);
}
