import type { McpHeaders } from '../exchange/index.js';
import {
  isJsonObject,
  isLegacyRevision,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LegacyRevision,
  MetaKey,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../protocol/index.js';
import type { HttpRequestView, HttpResponsePort } from './http/http-port.js';
import type { LegacyLine } from './legacy/legacy-line.js';
import type { ClientResponse } from './legacy/live-asks.js';

/**
 * Serves clients of earlier revisions over HTTP, where the server has it. It is loaded at boot where an
 * option wants it, and nothing of it otherwise.
 */
export interface EarlierHttpClients {
  /** HTTP methods that they use. */
  readonly methods: readonly string[];
  /** Answers a body that {@link isOfEarlierRevision} says is theirs. */
  post(value: unknown, view: HttpRequestView, port: HttpResponsePort): Promise<void>;
  /** Answers a request of another method. */
  other(view: HttpRequestView, port: HttpResponsePort): Promise<void>;
  /** Ends all sessions. */
  close(): void;
}

/** Serves a client of an earlier revision on the other end of a connection, which is its session. */
export interface EarlierConnection {
  /** The revision that client and server have agreed on; `undefined` before they have. */
  readonly revision: LegacyRevision | undefined;
  /** The answer to a request, as it is written. */
  answer(request: JsonRpcRequest, line: LegacyLine): Promise<string>;
  notification(notification: JsonRpcNotification): void;
  /** Hears what has come in answer to a request of the server's. */
  response(response: ClientResponse): void;
  /** The client says nothing more: it cannot be asked any more. */
  endInput(): void;
  close(): void;
}

/** Makes what serves a client of an earlier revision. @param tell sends what belongs to no request */
export type MakeEarlierConnection = (
  tell: (message: JsonRpcNotification) => boolean,
) => EarlierConnection;

/**
 * Whether a client of an earlier revision has sent this. The envelope of a request tells, then the
 * revision in its header, then whether there are headers that only this revision has. The method does not
 * matter.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export function isOfEarlierRevision(value: unknown, headers: McpHeaders): boolean {
  if (hasEnvelope(value)) return false;
  const version = headers['mcp-protocol-version'];
  if (isLegacyRevision(version)) return true;
  if (isCurrent(version) || headers['mcp-method'] !== undefined) return false;
  return isJsonObject(value) || Array.isArray(value);
}

/** Whether a message says in its `_meta` which revision it is of. */
export function hasEnvelope(value: unknown): boolean {
  const params = isJsonObject(value) ? value['params'] : undefined;
  const meta = isJsonObject(params) ? params['_meta'] : undefined;
  return isJsonObject(meta) && meta[MetaKey.ProtocolVersion] !== undefined;
}

function isCurrent(version: unknown): boolean {
  return typeof version === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(version);
}
