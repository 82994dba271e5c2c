import { InvalidRequestException } from '../../exceptions/index.js';
import { type McpHeaders, readHeader } from '../../exchange/index.js';
import { isLegacyRevision, LEGACY_REVISIONS, type LegacyRevision } from '../../protocol/index.js';

/** What clients speak that do not say so: the header came after it. */
const UNSAID: LegacyRevision = '2025-03-26';

/**
 * The revision that a client says in its header, after `initialize`.
 * @throws InvalidRequestException for one that there is not
 */
export function revisionOf(headers: McpHeaders): LegacyRevision {
  const revision = readHeader(headers, 'MCP-Protocol-Version') ?? UNSAID;
  if (isLegacyRevision(revision)) return revision;
  throw new InvalidRequestException(
    `MCP-Protocol-Version ${JSON.stringify(revision.slice(0, 100))} is not supported. Without the envelope of 2026-07-28 this server speaks ${LEGACY_REVISIONS.join(', ')}.`,
  );
}
