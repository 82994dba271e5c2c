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

  /** @param status 400 to 599; anything else is no refusal, and counts as 500 */
  constructor(status: number, message: string) {
    super(message);
    this.httpStatus = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 500;
    this.code = this.httpStatus;
  }

  /** A 401 must say how to authenticate (RFC 9110); MCP clients send bearer tokens. */
  override get httpHeaders(): Readonly<Record<string, string>> {
    return this.httpStatus === UNAUTHORIZED ? { 'WWW-Authenticate': 'Bearer' } : {};
  }
}
