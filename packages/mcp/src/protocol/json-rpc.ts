/** A request id: a string or an integer, never `null`. */
export type RequestId = string | number;

/** A message that is answered. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/** A message that is not answered. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Record<string, unknown>;
}

/** Why a request was refused. */
export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a request that was served. */
export interface JsonRpcResultResponse {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly result: object;
}

/** The answer to a request that was refused. */
export interface JsonRpcErrorResponse {
  readonly jsonrpc: '2.0';
  /** Absent when the request's id could not be read. */
  readonly id?: RequestId;
  readonly error: JsonRpcErrorObject;
}

/** The answer to a request. */
export type JsonRpcResponse = JsonRpcResultResponse | JsonRpcErrorResponse;

/** True for what the protocol allows as an id: any string, or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
