import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A client of an earlier revision was asked while its call was waiting, and no answer can come of it:
 * it answered with an error, not in time, or cannot be asked such a thing (-32600).
 */
export class ClientRefusalException extends McpException {
  readonly code = ErrorCode.InvalidRequest;

  /** @param key of the question */
  constructor(key: string, fact: string) {
    super(`The question ${JSON.stringify(key)} has no answer: ${fact}`, { key });
  }
}
