import { HttpStatus } from '@nestjs/common';
import { McpException } from './mcp.exception.js';

/** As many requests of one connection are worked on as may be (code 503). */
export class TooManyInFlightException extends McpException {
  readonly code = HttpStatus.SERVICE_UNAVAILABLE;
  override readonly httpStatus = HttpStatus.SERVICE_UNAVAILABLE;

  constructor(maxInFlight: number) {
    super(`${maxInFlight} requests are in flight, as many as may be. Try again later.`, {
      maxInFlight,
    });
  }
}
