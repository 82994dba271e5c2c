import {
  type ClientCapabilities,
  type Implementation,
  isJsonObject,
  type JsonObject,
  LEGACY_REVISIONS,
  type LegacyRevision,
  isLegacyRevision,
} from '../../protocol/index.js';

/** A client of an earlier revision, as it has described itself once for a whole session. */
export interface LegacyClient {
  readonly revision: LegacyRevision;
  readonly info: Implementation | undefined;
  /** In the words of this revision; what its own did not have is left out. */
  readonly capabilities: ClientCapabilities;
}

/** The newest that both sides speak, or the newest of the server, which the client may refuse. */
export function negotiate(requested: unknown): LegacyRevision {
  return isLegacyRevision(requested) ? requested : LEGACY_REVISIONS[0];
}

/** Whether a revision is that one or a later one. */
export function isSince(revision: LegacyRevision, since: LegacyRevision): boolean {
  // They are dates.
  return revision >= since;
}

/** Reads what a client says of itself in `initialize`. What it says wrong counts as not said. */
export function readClient(params: Readonly<Record<string, unknown>>): LegacyClient {
  const revision = negotiate(params['protocolVersion']);
  const { name, version, ...rest } = objectOf(params['clientInfo']);
  return {
    revision,
    info:
      typeof name === 'string' && typeof version === 'string'
        ? { ...rest, name, version }
        : undefined,
    capabilities: capabilitiesOf(revision, objectOf(params['capabilities'])),
  };
}

function capabilitiesOf(
  revision: LegacyRevision,
  { roots, sampling, elicitation }: JsonObject,
): ClientCapabilities {
  const isNewest = isSince(revision, '2025-11-25');
  return {
    ...(isJsonObject(roots) && { roots }),
    // Context was part of sampling before it became a capability of its own, and tools came with it.
    ...(isJsonObject(sampling) && {
      sampling: isNewest ? membersOf(sampling, ['context', 'tools']) : { context: {} },
    }),
    ...(isJsonObject(elicitation) &&
      isSince(revision, '2025-06-18') && {
        elicitation: isNewest ? membersOf(elicitation, ['form', 'url']) : {},
      }),
  };
}

function membersOf(capability: JsonObject, names: readonly string[]): Record<string, JsonObject> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = capability[name];
      return isJsonObject(member) ? [[name, member] as const] : [];
    }),
  );
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? (value as JsonObject) : {};
}
