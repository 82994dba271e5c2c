import { HttpException } from '@nestjs/common';
import {
  HandlerTimeoutException,
  HttpDenialException,
  InternalErrorException,
  InvalidArgumentsException,
  InvalidParamsException,
  McpException,
  McpToolException,
  ResultTooLargeException,
} from '../exceptions/index.js';
import type { FailedEnd } from '../pipeline/index.js';
import { isJsonObject } from '../protocol/index.js';

/** The words of a Nest exception; `ValidationPipe` gives a list. */
export function httpExceptionMessage(exception: HttpException): string {
  const response: unknown = exception.getResponse();
  const message: unknown = isJsonObject(response) ? response['message'] : response;
  if (Array.isArray(message)) return message.map(unexpectedMessage).join('; ');
  return typeof message === 'string' ? message : exception.message;
}

/**
 * The error of a call that never reached its handler: a guard, an interceptor or the principal
 * source refused, with the HTTP status it chose.
 */
export function toDenial(error: unknown): McpException {
  if (error instanceof McpException) return error;
  return error instanceof HttpException
    ? new HttpDenialException(error.getStatus(), httpExceptionMessage(error))
    : new InternalErrorException();
}

/**
 * What went wrong, when the author meant the caller to read it; `undefined` for unexpected errors,
 * which are logged by the pipeline and masked.
 */
export function intendedMessage(error: unknown): string | undefined {
  if (
    error instanceof McpToolException ||
    error instanceof InvalidArgumentsException ||
    isOfTheCall(error)
  ) {
    return error.message;
  }
  return error instanceof HttpException ? httpExceptionMessage(error) : undefined;
}

/** An error of the protocol that says how the call went: a model that reads it can ask for less. */
export function isOfTheCall(
  error: unknown,
): error is HandlerTimeoutException | ResultTooLargeException {
  return error instanceof HandlerTimeoutException || error instanceof ResultTooLargeException;
}

/** The protocol error of a failed prompt or resource. @param data sent when the caller is at fault */
export function toProtocolError(
  { error, entered }: FailedEnd,
  exposeErrors: boolean,
  data?: unknown,
): McpException {
  if (error instanceof McpException) return error;
  if (!entered) return toDenial(error);
  const message = intendedMessage(error);
  if (message !== undefined) {
    const fault = error instanceof HttpException && error.getStatus() >= 500;
    return fault ? new InternalErrorException(message) : new InvalidParamsException(message, data);
  }
  return new InternalErrorException(exposeErrors ? unexpectedMessage(error) : undefined);
}

/** The message of an unexpected error, for development. */
export function unexpectedMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return `a thrown ${typeof error}`;
  }
}
