import { UnsupportedProtocolVersionException } from '../exceptions/index.js';
import { isJsonObject, type JsonRpcRequest, MetaKey } from '../protocol/index.js';

/**
 * Names the supported revisions to a client of an earlier one, which opens with `initialize`: this
 * may be the only message it can show.
 * @throws UnsupportedProtocolVersionException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export function refuseEarlierRevision({ method, params }: JsonRpcRequest): void {
  if (method !== 'initialize') return;
  const meta = params?.['_meta'];
  if (isJsonObject(meta) && meta[MetaKey.ProtocolVersion] !== undefined) return;
  const requested = params?.['protocolVersion'];
  throw new UnsupportedProtocolVersionException(
    typeof requested === 'string' ? requested : 'unknown',
  );
}
