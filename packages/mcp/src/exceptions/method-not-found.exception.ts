import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** The server does not implement the method (-32601, HTTP 404). */
export class MethodNotFoundException extends McpException {
  readonly code = ErrorCode.MethodNotFound;
  override readonly httpStatus = 404;

  constructor(method: string) {
    super(`Method not found: ${method}`);
  }
}
