import { UnsupportedProtocolVersionException } from '../exceptions/index.js';
import { type JsonRpcRequest, LegacyMethod } from '../protocol/index.js';
import { hasEnvelope } from './earlier-clients.js';

/**
 * Names the supported revisions to a client of an earlier one, which opens with `initialize`: this
 * may be the only message it can show.
 * @throws UnsupportedProtocolVersionException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export function refuseEarlierRevision(request: JsonRpcRequest): void {
  if (request.method !== LegacyMethod.Initialize || hasEnvelope(request)) return;
  const requested = request.params?.['protocolVersion'];
  throw new UnsupportedProtocolVersionException(
    typeof requested === 'string' ? requested : 'unknown',
  );
}
