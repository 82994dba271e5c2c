import { McpException } from './mcp.exception.js';

const UNAUTHORIZED = 401;

/**
 * A guard, an interceptor or the principal source turned the call away before its handler ran.
 * JSON-RPC has no code for that, so the HTTP status serves as the application-defined code, which
 * the protocol wants outside the reserved range.
 */
export class HttpDenialException extends McpException {
  readonly code: number;
  override readonly httpStatus: number;

  constructor(status: number, message: string) {
    super(message);
    this.code = status;
    this.httpStatus = status;
  }

  /** A 401 must say how to authenticate (RFC 9110); MCP clients send bearer tokens. */
  override get httpHeaders(): Readonly<Record<string, string>> {
    return this.httpStatus === UNAUTHORIZED ? { 'WWW-Authenticate': 'Bearer' } : {};
  }
}
