import type { JsonRpcErrorObject } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/** An error as it was answered, kept for duplicates of the call. */
export interface AnsweredError extends JsonRpcErrorObject {
  readonly httpStatus: number;
}

/** The call was played before, and ended with this error. */
export class RepeatedErrorException extends McpException {
  readonly code: number;
  override readonly httpStatus: number;

  constructor({ code, message, data, httpStatus }: AnsweredError) {
    super(message, data);
    this.code = code;
    this.httpStatus = httpStatus;
  }
}
