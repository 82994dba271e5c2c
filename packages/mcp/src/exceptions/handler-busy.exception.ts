import { HttpStatus } from '@nestjs/common';
import { McpException } from './mcp.exception.js';

/** A handler already runs as often as its `maxConcurrent` allows (code and HTTP status 503). */
export class HandlerBusyException extends McpException {
  readonly code = HttpStatus.SERVICE_UNAVAILABLE;
  override readonly httpStatus = HttpStatus.SERVICE_UNAVAILABLE;

  constructor(handler: string, maxConcurrent: number) {
    super(
      `"${handler}" is busy: it already runs ${maxConcurrent} ${maxConcurrent === 1 ? 'time' : 'times'}, as often as it may. Try again later.`,
      { maxConcurrent },
    );
  }

  override get httpHeaders(): Readonly<Record<string, string>> {
    return { 'Retry-After': '1' };
  }
}
