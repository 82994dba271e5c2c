import { IntrinsicException } from '@nestjs/common';
import type { ContentBlock } from '../protocol/index.js';

/** What the model may read besides the message. */
export interface McpToolExceptionOptions {
  /** Blocks shown after the message. */
  content?: ContentBlock[];
  /** Machine-readable details of the failure. */
  structuredContent?: unknown;
  cause?: unknown;
}

/**
 * A failure the model should read: the tool answers with `isError: true` and this message.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools#error-handling
 */
export class McpToolException extends IntrinsicException {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;

  constructor(message: string, options: McpToolExceptionOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'McpToolException';
    this.content = options.content ?? [];
    if (options.structuredContent !== undefined) this.structuredContent = options.structuredContent;
  }
}
