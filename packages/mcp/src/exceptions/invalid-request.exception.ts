import { ErrorCode, type RequestId } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** A message that is not a request or notification of this protocol (-32600). */
export class InvalidRequestException extends McpException {
  readonly code = ErrorCode.InvalidRequest;

  constructor(
    message: string,
    override readonly httpStatus = 400,
    /** The id of the message, when it had a usable one. */
    readonly requestId?: RequestId,
  ) {
    super(message);
  }
}
