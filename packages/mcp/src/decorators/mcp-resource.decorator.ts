import { MCP_RESOURCE_METADATA } from '../mcp.constants.js';
import type { Annotations, CacheScope, Icon } from '../protocol/index.js';
import {
  HANDLER_OPTIONS,
  handlerDecorator,
  type HandlerOptions,
  type OptionNames,
} from './handler.decorator.js';

interface ResourceOptions extends HandlerOptions {
  /** The method's name by default. */
  name?: string;
  /**
   * Of the contents. Bytes of a text type are decoded, by its `charset` or as UTF-8, and sent as text;
   * others as base64. Comes before the type a returned file has.
   */
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
  /** How long, in milliseconds, and by whom a read may be cached; not at all by default. */
  cache?: { ttlMs: number; scope: CacheScope };
}

/** One resource. */
export interface McpFixedResourceOptions extends ResourceOptions {
  /** An absolute URI. */
  uri: string;
  uriTemplate?: undefined;
  /** Bytes, if known. */
  size?: number;
}

/** Every resource whose uri matches. */
export interface McpResourceTemplateOptions extends ResourceOptions {
  /** RFC 6570 up to level 3: `docs://pages/{slug}{?lang}`. */
  uriTemplate: string;
  uri?: undefined;
}

/** What `@McpResource()` accepts: a `uri`, or a `uriTemplate`. */
export type McpResourceOptions = McpFixedResourceOptions | McpResourceTemplateOptions;

/** The options of a resource template; others are refused. */
export const TEMPLATE_OPTIONS = {
  ...HANDLER_OPTIONS,
  uri: true,
  uriTemplate: true,
  name: true,
  mimeType: true,
  icons: true,
  annotations: true,
  cache: true,
} satisfies OptionNames<McpResourceTemplateOptions>;

/** The options of a resource with one uri; others are refused. */
export const FIXED_RESOURCE_OPTIONS = {
  ...TEMPLATE_OPTIONS,
  size: true,
} satisfies OptionNames<McpFixedResourceOptions>;

/**
 * Makes a method of a provider or controller a resource, or a template for many.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return handlerDecorator('McpResource', MCP_RESOURCE_METADATA, options);
}
