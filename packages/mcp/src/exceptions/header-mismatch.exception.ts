import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A required header is absent or differs from the body (-32020).
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export class HeaderMismatchException extends McpException {
  readonly code = ErrorCode.HeaderMismatch;

  constructor(detail: string) {
    super(`Header mismatch: ${detail}`);
  }
}
