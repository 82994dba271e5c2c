import { McpException } from './mcp.exception.js';

/**
 * No session of an earlier revision has this id, or it is somebody else's: clients are to begin anew
 * (HTTP 404).
 */
export class SessionNotFoundException extends McpException {
  /** As official SDKs have it. */
  readonly code = -32001;
  override readonly httpStatus = 404;

  constructor() {
    super('Session not found. It has ended or expired: send initialize to begin another.');
  }
}
