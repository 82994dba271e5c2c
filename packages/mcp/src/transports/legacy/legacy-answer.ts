import type { LoggerService } from '@nestjs/common';
import { InternalErrorException, McpException } from '../../exceptions/index.js';
import type { RequestId } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import { legacyError, legacyStatus } from './legacy-error.js';

/** Writes answers for clients of earlier revisions. */
export class LegacyAnswers {
  constructor(
    private readonly logger: LoggerService,
    /** Whether they can be asked. */
    private readonly isSession: boolean,
  ) {}

  /** The answer to a request, however it ended; what cannot be written as JSON ends it with an error. */
  async of(id: RequestId, serve: () => Promise<object>): Promise<McpReply> {
    try {
      const result = await serve();
      return {
        httpStatus: 200,
        httpHeaders: {},
        body: JSON.stringify({ jsonrpc: '2.0', id, result }),
      };
    } catch (error) {
      const exception = this.exceptionOf(error);
      return this.error(exception, id, legacyStatus(exception));
    }
  }

  /** The answer to what was no request, or was turned away before it was looked at. */
  refusal(error: unknown, id?: RequestId): McpReply {
    const exception = this.exceptionOf(error);
    return this.error(exception, id, exception.httpStatus);
  }

  private error(exception: McpException, id: RequestId | undefined, httpStatus: number): McpReply {
    const error = legacyError(exception, this.isSession);
    return {
      httpStatus,
      httpHeaders: exception.httpHeaders,
      // JSON-RPC wants an id, and `null` where none could be read.
      body: JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error }),
    };
  }

  private exceptionOf(error: unknown): McpException {
    if (error instanceof McpException) return error;
    this.logger.error(error);
    return new InternalErrorException();
  }
}
