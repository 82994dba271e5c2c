import type { Ask } from './ask.js';
import type { RoundSetup } from './execution.js';
import { NO_ANSWERS } from './input-responses.js';
import { InProcessConversationGuard } from './in-process-conversation.guard.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { McpConversationGuard } from './mcp-conversation.guard.js';
import type { McpObserver } from './mcp-observer.js';
import { MrtrEngine } from './mrtr.engine.js';
import { ReplayExecutor } from './replay-executor.js';
import type { ReplayLimits } from './replay-limits.js';
import type { RequestStateCodec } from './request-state.codec.js';
import { type ReplayCall, RoundPlayer } from './round-player.js';

/** What a round of a unit spec is played with, where the spec says nothing else. */
export function roundSetup({
  entries = [],
  ...rest
}: Partial<RoundSetup> & { entries?: readonly LedgerEntry[] } = {}): RoundSetup {
  return {
    handler: 'handler',
    conversationId: 'conversation',
    ledger: new Ledger(entries),
    unclaimed: NO_ANSWERS,
    call: new AbortController(),
    maxAttempts: 3,
    maxEntryBytes: 1_000,
    now: () => 1_000,
    ...rest,
  };
}

export const REPLAY_LIMITS: ReplayLimits = {
  ttlMs: 1_000,
  maxAgeMs: 10_000,
  maxRounds: 5,
  maxStateBytes: 4_096,
  answers: 'strict',
  maxAttempts: 3,
  maxEntryBytes: 1_000,
  resultTtlMs: 500,
  onMismatch: 'reject',
};

/** A call of a tool without arguments, where the spec says nothing else. */
export function replayCall(rest: Partial<ReplayCall> = {}): ReplayCall {
  return {
    handlerName: 'handler',
    method: 'tools/call',
    target: 'handler',
    principal: null,
    inputResponses: undefined,
    requestState: undefined,
    signal: new AbortController().signal,
    replay: {},
    argumentsDigest: () => 'none',
    ...rest,
  };
}

/** A question that is known by its text, and that every answer fits. */
export function plainAsk(text: string): Ask<unknown> {
  return {
    kind: 'elicit',
    label: text,
    fingerprint: text,
    request: {
      method: 'elicitation/create',
      params: { message: text, requestedSchema: { type: 'object', properties: {} } },
    },
    judge: (outcome) => ({ accepted: true, outcome }),
    restate: () => {
      throw new Error('every answer fits');
    },
    revive: (outcome) => outcome,
  };
}

/** An engine with the limits of this file, where the spec says nothing else. */
export function wireEngine(
  codec: RequestStateCodec,
  limits: Partial<ReplayLimits> = {},
  {
    now = Date.now,
    guard = new InProcessConversationGuard(now),
    observer,
  }: { now?: () => number; guard?: McpConversationGuard; observer?: McpObserver } = {},
): MrtrEngine {
  const player = new RoundPlayer(
    new ReplayExecutor(),
    { ...REPLAY_LIMITS, ...limits },
    { now, ...(observer !== undefined && { observer }) },
  );
  return new MrtrEngine(player, codec, guard);
}
