import {
  InvalidParamsException,
  UnsupportedProtocolVersionException,
} from '../exceptions/index.js';
import { McpClient } from '../exchange/index.js';
import {
  type ClientCapabilities,
  type Implementation,
  isJsonObject,
  isLogLevel,
  isRequestId,
  LOG_LEVELS,
  MetaKey,
  type RequestMeta,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../protocol/index.js';

/** The checked `_meta` of a request. */
export interface Envelope {
  readonly protocolVersion: string;
  readonly client: McpClient;
  readonly meta: RequestMeta;
}

/**
 * Reads what every request must say of itself. The version is looked at last: a malformed envelope
 * is worth more to its sender than the news that it is for another revision.
 * @throws InvalidParamsException | UnsupportedProtocolVersionException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta
 */
export function readEnvelope(params: Record<string, unknown> | undefined): Envelope {
  const meta = params?.['_meta'];
  if (!isJsonObject(meta)) {
    throw new InvalidParamsException(
      `params._meta is missing. Send it with ${MetaKey.ProtocolVersion} and ${MetaKey.ClientCapabilities}.`,
    );
  }
  const protocolVersion = meta[MetaKey.ProtocolVersion];
  if (typeof protocolVersion !== 'string') throw malformed(MetaKey.ProtocolVersion, 'a string');
  const info = meta[MetaKey.ClientInfo];
  if (info !== undefined && !isImplementation(info)) {
    throw malformed(MetaKey.ClientInfo, 'an object with a name and a version');
  }
  const capabilities = meta[MetaKey.ClientCapabilities];
  if (!isCapabilities(capabilities)) {
    throw malformed(MetaKey.ClientCapabilities, 'an object whose members are objects');
  }
  const progressToken = meta[MetaKey.ProgressToken];
  if (progressToken !== undefined && !isRequestId(progressToken)) {
    throw malformed(MetaKey.ProgressToken, 'a string or an integer');
  }
  const logLevel = meta[MetaKey.LogLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw malformed(MetaKey.LogLevel, `one of ${LOG_LEVELS.join(', ')}`);
  }
  if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
    throw new UnsupportedProtocolVersionException(protocolVersion);
  }
  return {
    protocolVersion,
    client: new McpClient(info, capabilities),
    meta: meta as unknown as RequestMeta,
  };
}

function malformed(key: string, expected: string): InvalidParamsException {
  return new InvalidParamsException(
    `params._meta[${JSON.stringify(key)}] is missing or malformed: it must be ${expected}.`,
  );
}

function isImplementation(value: unknown): value is Implementation {
  return (
    isJsonObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string'
  );
}

/** Objects of objects: `extensions`, `elicitation` and the like are read without further checks. */
function isCapabilities(value: unknown): value is ClientCapabilities {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const capability = value[name];
    if (!isJsonObject(capability)) return false;
  }
  return true;
}
