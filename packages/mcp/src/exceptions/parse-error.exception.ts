import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** A message that is not JSON (-32700). */
export class ParseErrorException extends McpException {
  readonly code = ErrorCode.ParseError;

  constructor(detail: string) {
    super(`The message is not valid JSON: ${detail}.`);
  }
}
