import type { LoggerService } from '@nestjs/common';
import {
  InternalErrorException,
  InvalidRequestException,
  McpException,
} from '../exceptions/index.js';
import type { RequestId } from '../protocol/index.js';
import { errorReply, type McpReply } from '../server/index.js';

/** The id of a message that was refused, when it had a usable one. */
export function refusedId(error: unknown): RequestId | undefined {
  return error instanceof InvalidRequestException ? error.requestId : undefined;
}

/** The answer to a message that was refused; an unexpected error is logged and masked. */
export function refusal(
  error: unknown,
  id: RequestId | undefined,
  logger: LoggerService,
): McpReply {
  if (error instanceof McpException) return errorReply(error, id);
  logger.error(error);
  return errorReply(new InternalErrorException(), id);
}
