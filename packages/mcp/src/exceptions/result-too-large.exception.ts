import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A handler returned more bytes than the server sends (-32603); the result of a tool says so with
 * `isError`.
 */
export class ResultTooLargeException extends McpException {
  readonly code = ErrorCode.InternalError;
  override readonly httpStatus = 500;

  constructor(handler: string, maxResultBytes: number) {
    super(
      `"${handler}" returned more than maxResultBytes (${maxResultBytes}). ` +
        'Ask for less; the server may return a link to it, or raise the limit.',
      { maxResultBytes },
    );
  }
}
