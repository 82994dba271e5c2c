/**
 * The earlier revisions whose clients open with `initialize`, newest first.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#backward-compatibility-with-initialization-based-versions
 */
export const LEGACY_REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** One of the earlier revisions. */
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number];

/** Methods and notifications that only clients of earlier revisions send, or are sent. */
export const LegacyMethod = {
  Initialize: 'initialize',
  Ping: 'ping',
  SetLevel: 'logging/setLevel',
  Subscribe: 'resources/subscribe',
  Unsubscribe: 'resources/unsubscribe',
  Initialized: 'notifications/initialized',
} as const;

/** The code of a resource that is not there; -32602 from revision 2026-07-28 on. */
export const LEGACY_RESOURCE_NOT_FOUND = -32002;

/** True for one of {@link LEGACY_REVISIONS}. */
export function isLegacyRevision(value: unknown): value is LegacyRevision {
  return LEGACY_REVISIONS.includes(value as LegacyRevision);
}
