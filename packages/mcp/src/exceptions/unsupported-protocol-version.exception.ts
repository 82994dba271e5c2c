import { ErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** The request is written for a revision this server does not speak (-32022). */
export class UnsupportedProtocolVersionException extends McpException {
  readonly code = ErrorCode.UnsupportedProtocolVersion;

  constructor(requested: string) {
    super(
      `Unsupported protocol version ${JSON.stringify(requested)}. This server speaks ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}: ` +
        `repeat the request with that version in the MCP-Protocol-Version header and in params._meta.`,
      { supported: SUPPORTED_PROTOCOL_VERSIONS, requested },
    );
  }
}
