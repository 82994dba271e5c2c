import type { ContentBlock } from './content.js';
import type { Icon } from './implementation.js';
import type { MetaObject } from './meta.js';
import type { CacheableResult, PaginatedResult, Result } from './results.js';

/** Untrusted hints about what a tool does. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** A tool as `tools/list` shows it. */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  inputSchema: { $schema?: string; type: 'object'; [keyword: string]: unknown };
  outputSchema?: { $schema?: string; [keyword: string]: unknown };
  annotations?: ToolAnnotations;
  _meta?: MetaObject;
}

/** The answer to `tools/list`. */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

/** What a tool answers. `isError: true` reports a failure the model may mend. */
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
}
