import { IntrinsicException } from '@nestjs/common';
import type { JsonRpcErrorObject } from '../protocol/index.js';

/**
 * An error that leaves the server as a JSON-RPC error. Its message is written for the caller and is
 * sent as it stands; it never carries a stack, a path or a secret.
 *
 * Extends Nest's `IntrinsicException`, so that Nest does not log what is only an answer.
 */
export abstract class McpException extends IntrinsicException {
  /** JSON-RPC error code. */
  abstract readonly code: number;
  /** HTTP status when the answer is a plain JSON body. */
  readonly httpStatus: number = 400;
  /** Machine-readable details. */
  readonly data?: unknown;

  constructor(message: string, data?: unknown) {
    super(message);
    this.name = new.target.name;
    if (data !== undefined) this.data = data;
  }

  /** HTTP headers that go with the status. */
  get httpHeaders(): Readonly<Record<string, string>> {
    return {};
  }

  toJsonRpcError(): JsonRpcErrorObject {
    return this.data === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, data: this.data };
  }
}
