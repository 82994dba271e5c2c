import {
  isJsonObject,
  type JsonRpcRequest,
  type LogLevel,
  MetaKey,
  PROTOCOL_VERSION,
} from '../../protocol/index.js';
import type { LegacyClient } from './legacy-client.js';

/** What members of params are the server's own in a later revision, and mean nothing in an earlier one. */
const LATER = ['inputResponses', 'requestState', 'task'];
const RESERVED = 'io.modelcontextprotocol/';

/** What a session adds to each of its requests. */
export interface Envelope {
  readonly client: LegacyClient;
  /** `undefined` until the client has asked for log messages. */
  readonly logLevel: LogLevel | undefined;
}

/** The request of an earlier revision in the words of this one: what was said once is said each time. */
export function modernRequest(
  { id, method, params = {} }: Omit<JsonRpcRequest, 'jsonrpc'>,
  { client: { info, capabilities }, logLevel }: Envelope,
): JsonRpcRequest {
  const own = Object.entries(params).filter(([name]) => !LATER.includes(name));
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const ownMeta = Object.entries(meta).filter(([name]) => !name.startsWith(RESERVED));
  return {
    jsonrpc: '2.0',
    id,
    method,
    params: {
      ...Object.fromEntries(own),
      _meta: {
        ...Object.fromEntries(ownMeta),
        [MetaKey.ProtocolVersion]: PROTOCOL_VERSION,
        [MetaKey.ClientCapabilities]: capabilities,
        ...(info !== undefined && { [MetaKey.ClientInfo]: info }),
        ...(logLevel !== undefined && { [MetaKey.LogLevel]: logLevel }),
      },
    },
  };
}
