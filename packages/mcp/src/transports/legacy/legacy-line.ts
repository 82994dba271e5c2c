import type { McpHeaders, McpTransport } from '../../exchange/index.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../protocol/index.js';

/** What carries one request of a session, and what the server says before its answer. */
export interface LegacyLine {
  readonly transport: McpTransport;
  readonly headers: McpHeaders;
  /** The adapter's request. */
  readonly request: unknown;
  /** Sends a message that belongs to the request; `false` when it was left out. */
  send(message: JsonRpcRequest | JsonRpcNotification): boolean;
  /** Calls back when nobody can hear the answer any more; at once if that is so. */
  onLost(listener: (reason: string) => void): void;
}

/** What goes on after its request: nothing is sent on that, and it ends with nobody. */
export function standingLine({
  transport,
  headers,
  request,
}: Pick<LegacyLine, 'transport' | 'headers' | 'request'>): LegacyLine {
  return { transport, headers, request, send: () => false, onLost: () => undefined };
}
