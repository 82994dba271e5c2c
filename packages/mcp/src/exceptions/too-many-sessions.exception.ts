import { HttpStatus } from '@nestjs/common';
import { McpException } from './mcp.exception.js';

/** As many sessions of earlier revisions are open as this instance keeps (503). */
export class TooManySessionsException extends McpException {
  readonly code = HttpStatus.SERVICE_UNAVAILABLE;
  override readonly httpStatus = HttpStatus.SERVICE_UNAVAILABLE;

  constructor(maxOpen: number) {
    super(`${maxOpen} sessions are open already, as many as may be. Try again later.`);
  }

  override get httpHeaders(): Readonly<Record<string, string>> {
    return { 'Retry-After': '1' };
  }
}
