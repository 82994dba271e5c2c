import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** The sealed conversation would be larger than the server lets it travel (-32603). */
export class StateTooLargeException extends McpException {
  readonly code = ErrorCode.InternalError;
  override readonly httpStatus = 500;

  constructor(
    handler: string,
    bytes: number,
    maxStateBytes: number,
    heaviest: { key: string; bytes: number },
  ) {
    super(
      `The request state of "${handler}" would be ${bytes} bytes, more than replay.maxStateBytes (${maxStateBytes}). ` +
        `Its heaviest entry is "${heaviest.key}" with ${heaviest.bytes} bytes: ask for less there, or raise the limit.`,
      { bytes, maxStateBytes, heaviest },
    );
  }
}
