import { HttpStatus } from '@nestjs/common';
import { McpException } from './mcp.exception.js';

/** As many subscriptions are open as this instance keeps, or it is shutting down (503). */
export class TooManySubscriptionsException extends McpException {
  readonly code = HttpStatus.SERVICE_UNAVAILABLE;
  override readonly httpStatus = HttpStatus.SERVICE_UNAVAILABLE;

  constructor(fact: string) {
    super(`${fact} Try again later.`);
  }

  override get httpHeaders(): Readonly<Record<string, string>> {
    return { 'Retry-After': '1' };
  }
}
