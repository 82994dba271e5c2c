import type {
  DiscoverResult,
  Implementation,
  LegacyRevision,
  ServerCapabilities,
} from '../../protocol/index.js';

/** What a server says of itself when a session begins. */
export interface InitializeResult {
  readonly protocolVersion: LegacyRevision;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}

/** @param isSession whether anything can be told the client that it has not asked for */
export function initializeResult(
  { capabilities, instructions }: DiscoverResult,
  serverInfo: Implementation,
  protocolVersion: LegacyRevision,
  isSession: boolean,
): InitializeResult {
  return {
    protocolVersion,
    capabilities: isSession ? withoutExtensions(capabilities) : unheard(capabilities),
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  };
}

/** Extensions came with revision 2026-07-28. */
function withoutExtensions({
  extensions: _,
  ...capabilities
}: ServerCapabilities): ServerCapabilities {
  return capabilities;
}

function unheard({
  tools,
  prompts,
  resources,
  completions,
}: ServerCapabilities): ServerCapabilities {
  return {
    ...(tools !== undefined && { tools: {} }),
    ...(prompts !== undefined && { prompts: {} }),
    ...(resources !== undefined && { resources: {} }),
    ...(completions !== undefined && { completions }),
  };
}
