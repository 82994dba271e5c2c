import { HeaderMismatchException } from '../../exceptions/index.js';
import type { McpHeaders } from '../../exchange/index.js';
import {
  isJsonObject,
  type JsonRpcRequest,
  McpMethod,
  MetaKey,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../protocol/index.js';
import { refuseEarlierRevision } from '../earlier-revision.js';

/** Methods whose target is mirrored in `Mcp-Name`, and the member of params that names it. */
const NAMED: ReadonlyMap<string, 'name' | 'uri'> = new Map([
  [McpMethod.ToolsCall, 'name'],
  [McpMethod.PromptsGet, 'name'],
  [McpMethod.ResourcesRead, 'uri'],
]);

/** Visible ASCII, space and tab; Node reads other bytes as Latin-1. */
const PLAIN = /^[\t\x20-\x7e]*$/;
const SENTINEL = /^=\?base64\?(.*)\?=$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Holds the mirrored headers against the body, so that what a gateway routed on is what runs. A
 * member that the body lacks is left to the checks of the body.
 * @throws HeaderMismatchException | UnsupportedProtocolVersionException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export function checkHeaders(headers: McpHeaders, request: JsonRpcRequest): void {
  checkVersion(headers, request);
  compare('Mcp-Method', required(headers, 'Mcp-Method'), request.method);
  const member = NAMED.get(request.method);
  if (member === undefined) return;
  const name = decode('Mcp-Name', required(headers, 'Mcp-Name'));
  const value = request.params?.[member];
  if (typeof value === 'string') compare('Mcp-Name', name, value);
}

function checkVersion(headers: McpHeaders, request: JsonRpcRequest): void {
  refuseEarlierRevision(request);
  const meta = request.params?.['_meta'];
  const version = isJsonObject(meta) ? meta[MetaKey.ProtocolVersion] : undefined;
  const header = required(headers, 'MCP-Protocol-Version');
  if (typeof version === 'string') compare('MCP-Protocol-Version', header, version);
}

function required(headers: McpHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  if (typeof value === 'string') return value.trim();
  throw new HeaderMismatchException(
    `the ${name} header is ${value === undefined ? 'missing' : 'repeated'}. ` +
      `Every request of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')} carries it once.`,
  );
}

function compare(name: string, header: string, body: string): void {
  if (header === body) return;
  throw new HeaderMismatchException(
    `${name} header value ${JSON.stringify(header)} does not match body value ${JSON.stringify(body)}`,
  );
}

/** A header value, or what its Base64 sentinel stands for. */
function decode(name: string, value: string): string {
  const encoded = SENTINEL.exec(value)?.[1];
  if (encoded === undefined) {
    if (PLAIN.test(value)) return value;
    throw new HeaderMismatchException(
      `the ${name} header has characters that must travel as Base64: =?base64?…?=`,
    );
  }
  const bytes = Buffer.from(encoded, 'base64');
  const text = bytes.toString('utf8');
  if (!BASE64.test(encoded) || !Buffer.from(text).equals(bytes)) {
    throw new HeaderMismatchException(`the ${name} header is not valid Base64 of UTF-8 text`);
  }
  return text;
}
