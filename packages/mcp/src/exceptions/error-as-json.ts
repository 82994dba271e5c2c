import type { JsonRpcErrorObject } from '../protocol/index.js';
import type { McpException } from './mcp.exception.js';

/** An error as it is written down. Data of the application that is not JSON is left out; the rest of it is. */
export function errorAsJson(exception: McpException): JsonRpcErrorObject {
  const error = exception.toJsonRpcError();
  try {
    return JSON.parse(JSON.stringify(error)) as JsonRpcErrorObject;
  } catch {
    return { code: exception.code, message: exception.message };
  }
}
