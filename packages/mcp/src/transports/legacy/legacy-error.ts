import {
  HttpDenialException,
  type McpException,
  MissingRequiredClientCapabilityException,
  ResourceNotFoundException,
  errorAsJson,
} from '../../exceptions/index.js';
import {
  ErrorCode,
  type JsonRpcErrorObject,
  LEGACY_RESOURCE_NOT_FOUND,
} from '../../protocol/index.js';

/** An error in the words of an earlier revision. @param isSession whether its client can be asked */
export function legacyError(exception: McpException, isSession: boolean): JsonRpcErrorObject {
  const error = errorAsJson(exception);
  if (exception instanceof ResourceNotFoundException) {
    return { ...error, code: LEGACY_RESOURCE_NOT_FOUND };
  }
  if (exception instanceof MissingRequiredClientCapabilityException) {
    return { ...error, code: ErrorCode.InvalidRequest, message: missing(exception, isSession) };
  }
  return error;
}

/**
 * The HTTP status of an error. Clients of earlier revisions read an answer only where it is 200, but for
 * those that tell them to log in.
 */
export function legacyStatus(exception: McpException): number {
  return exception instanceof HttpDenialException ? exception.httpStatus : 200;
}

function missing({ data }: McpException, isSession: boolean): string {
  const { requiredCapabilities } = data as { requiredCapabilities: object };
  const needed = `This call needs ${JSON.stringify(requiredCapabilities)} of its client`;
  return isSession
    ? `${needed}, which has not declared that in the capabilities of initialize.`
    : `${needed}, and this server cannot ask clients of earlier revisions: it keeps no sessions for them. ` +
        "Set legacy: 'sessions' in McpModule.forRoot(), or use a client of 2026-07-28.";
}
