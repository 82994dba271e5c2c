import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** A body that is not JSON (-32700). */
export class ParseErrorException extends McpException {
  readonly code = ErrorCode.ParseError;

  constructor(detail: string) {
    super(`The body is not valid JSON: ${detail}.`);
  }
}
