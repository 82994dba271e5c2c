import type { LoggerService } from '@nestjs/common';
import { InternalErrorException, McpException } from '../../exceptions/index.js';
import type { JsonRpcRequest, RequestId } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import type { HttpResponsePort } from '../http/http-port.js';
import { refusedId } from '../refusal.js';
import type { HttpAnswers } from './http-answers.js';
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

  /** Answers all requests of a body, each when it is served. */
  async each(
    requests: readonly JsonRpcRequest[],
    line: HttpAnswers,
    serve: (request: JsonRpcRequest) => Promise<object>,
  ): Promise<void> {
    await Promise.all(
      requests.map(async (request) => line.finish(await this.of(request.id, () => serve(request)))),
    );
  }

  /** Answers what was no request, or was turned away before it was looked at. */
  refuse(error: unknown, port: HttpResponsePort, id = refusedId(error)): void {
    const exception = this.exceptionOf(error);
    const { httpStatus, httpHeaders, body } = this.error(exception, id, exception.httpStatus);
    port.json(httpStatus, body, httpHeaders);
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
