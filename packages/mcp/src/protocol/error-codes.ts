/**
 * JSON-RPC error codes in use.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#error-codes
 */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
} as const;

/** One of the codes in use. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];
