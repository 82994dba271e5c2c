import { ErrorCode, type RequestId } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A request with the id of one that is still in flight on the same connection (-32600). The answer
 * has no id, or it would be taken for that of the other request; `data.requestId` names it.
 */
export class DuplicateRequestIdException extends McpException {
  readonly code = ErrorCode.InvalidRequest;

  constructor(requestId: RequestId) {
    super('A request with this id is in flight already. Give every request an id of its own.', {
      requestId,
    });
  }
}
