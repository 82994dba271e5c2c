import { MCP_TOOL_METADATA } from '../mcp.constants.js';
import type { Icon, ToolAnnotations } from '../protocol/index.js';
import type { SchemaSource } from '../schema/index.js';
import {
  HANDLER_OPTIONS,
  handlerDecorator,
  type HandlerOptions,
  type OptionNames,
} from './handler.decorator.js';

/** How a tool is listed, what it accepts and returns, and what a call of it may take. */
export interface McpToolOptions extends HandlerOptions {
  /** 1 to 128 letters, digits, `_`, `-` or `.`; the method's name by default. */
  name?: string;
  /**
   * What the tool accepts: a class-validator DTO, a Standard Schema (zod 4) or JSON Schema. By
   * default the DTO class of the `@McpArgs()` parameter; without either, no arguments.
   */
  input?: SchemaSource;
  /**
   * What the tool returns as structured content. Every result is held against it, and what it makes
   * of the result is sent: without what it drops, with its defaults and transformations.
   */
  output?: SchemaSource;
  /**
   * Of the bytes it returns (a buffer, stream or file): `image/*` is sent as an image, `audio/*` as
   * audio, text as text, anything else as an embedded resource. Comes before the type a file has. A
   * tool with an `output` returns no bytes, and has none.
   */
  mimeType?: string;
  /** Hints about what the tool does. */
  annotations?: ToolAnnotations;
  icons?: Icon[];
}

/** The options of a tool; others are refused. */
export const TOOL_OPTIONS = {
  ...HANDLER_OPTIONS,
  name: true,
  input: true,
  output: true,
  mimeType: true,
  annotations: true,
  icons: true,
} satisfies OptionNames<McpToolOptions>;

/**
 * Makes a method of a provider or controller a tool.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export function McpTool(options: McpToolOptions = {}): MethodDecorator {
  return handlerDecorator('McpTool', MCP_TOOL_METADATA, options);
}
