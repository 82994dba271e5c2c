import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** Something failed inside the server (-32603, HTTP 500); the cause is in the server's log. */
export class InternalErrorException extends McpException {
  readonly code = ErrorCode.InternalError;
  override readonly httpStatus = 500;

  constructor(message = 'Internal error') {
    super(message);
  }
}
