import { HeaderMismatchException } from '../../exceptions/index.js';
import { decodeHeader, headerMismatch, type McpHeaders, readHeader } from '../../exchange/index.js';
import {
  isJsonObject,
  type JsonRpcRequest,
  MetaKey,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../protocol/index.js';
import { refuseEarlierRevision } from '../earlier-revision.js';

const ALWAYS = `Every request of ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')} carries it once.`;

/**
 * Holds the mirrored headers against the body, so that what a gateway routed on is what runs. A
 * member that the body lacks is left to the checks of the body.
 * @param namedBy the member of params that `Mcp-Name` mirrors, if the method has one
 * @throws HeaderMismatchException | UnsupportedProtocolVersionException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export function checkHeaders(
  headers: McpHeaders,
  request: JsonRpcRequest,
  namedBy: string | undefined,
): void {
  checkVersion(headers, request);
  compare('Mcp-Method', required(headers, 'Mcp-Method', ALWAYS), request.method);
  if (namedBy === undefined) return;
  const name = decodeHeader(
    'Mcp-Name',
    required(headers, 'Mcp-Name', `Send it with params.${namedBy}.`),
  );
  const value = request.params?.[namedBy];
  if (typeof value === 'string') compare('Mcp-Name', name, value);
}

function checkVersion(headers: McpHeaders, request: JsonRpcRequest): void {
  refuseEarlierRevision(request);
  const meta = request.params?.['_meta'];
  const version = isJsonObject(meta) ? meta[MetaKey.ProtocolVersion] : undefined;
  const header = required(headers, 'MCP-Protocol-Version', ALWAYS);
  if (typeof version === 'string') compare('MCP-Protocol-Version', header, version);
}

function required(headers: McpHeaders, name: string, mend: string): string {
  const value = readHeader(headers, name);
  if (value !== undefined) return value;
  throw new HeaderMismatchException(`the ${name} header is missing. ${mend}`);
}

function compare(name: string, header: string, body: string): void {
  if (header !== body) throw headerMismatch(name, header, body);
}
