import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A handler took longer than its `timeoutMs`. `ctx.signal` has aborted with this as its reason; a
 * tool's caller reads it as a result with `isError`, others get -32603 with HTTP 504.
 */
export class HandlerTimeoutException extends McpException {
  readonly code = ErrorCode.InternalError;
  override readonly httpStatus = 504;

  constructor(handler: string, timeoutMs: number) {
    super(`"${handler}" did not finish within ${timeoutMs} ms. Try again later, or ask for less.`, {
      timeoutMs,
    });
  }
}
