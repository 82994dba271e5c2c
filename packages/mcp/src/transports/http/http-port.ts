import type { McpHeaders } from '../../exchange/index.js';

/** A request as the endpoint needs it, whatever adapter took it. */
export interface HttpRequestView {
  readonly method: string;
  readonly headers: McpHeaders;
  /** The adapter's own request. */
  readonly request: unknown;
}

/** An answer as the endpoint gives it. Once the client is gone, writing does nothing. */
export interface HttpResponsePort {
  /** A whole body with `application/json`. */
  json(status: number, body: string, headers?: Readonly<Record<string, string>>): void;
  /** A status without a body. */
  empty(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Sends the head of an event stream. */
  openStream(): void;
  /** Writes to the open stream. */
  write(chunk: string): void;
  /** What has been written and the client has not taken yet, in bytes. */
  readonly bufferedBytes: number;
  /** Ends the open stream. */
  end(): void;
  /** Cuts the connection. */
  destroy(): void;
  /** Calls back when the connection closes before the answer is complete; at once if it has. */
  onAbort(listener: () => void): void;
}
