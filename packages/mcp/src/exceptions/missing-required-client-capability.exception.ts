import { type ClientCapabilities, ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * The call cannot be served without a client capability (-32021).
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror
 */
export class MissingRequiredClientCapabilityException extends McpException {
  readonly code = ErrorCode.MissingRequiredClientCapability;

  constructor(message: string, requiredCapabilities: ClientCapabilities) {
    super(message, { requiredCapabilities });
  }
}
