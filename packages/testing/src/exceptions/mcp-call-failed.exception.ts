import type { JsonRpcErrorObject } from '@dacapo/mcp';

/** The server has answered with a protocol error. A tool that fails has a result instead, with `isError`. */
export class McpCallFailedException extends Error {
  /** JSON-RPC error code. */
  readonly code: number;
  /** Machine-readable details. */
  readonly data: unknown;

  constructor({ code, message, data }: JsonRpcErrorObject) {
    super(message);
    this.name = 'McpCallFailedException';
    this.code = code;
    this.data = data;
  }
}
