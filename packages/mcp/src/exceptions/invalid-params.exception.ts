import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** The parameters of a request cannot be used (-32602). */
export class InvalidParamsException extends McpException {
  readonly code = ErrorCode.InvalidParams;
}
