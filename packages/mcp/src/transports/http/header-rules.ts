import { HeaderMismatchException } from '../../exceptions/index.js';
import { decodeHeader, headerMismatch, type McpHeaders, readHeader } from '../../exchange/index.js';
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
  const name = decodeHeader('Mcp-Name', required(headers, 'Mcp-Name'));
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
  const value = readHeader(headers, name);
  if (value !== undefined) return value;
  throw new HeaderMismatchException(
    `the ${name} header is missing. ` +
      `Every request of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')} carries it once.`,
  );
}

function compare(name: string, header: string, body: string): void {
  if (header !== body) throw headerMismatch(name, header, body);
}
