import type { Ask } from './ask.js';
import type { RoundSetup } from './execution.js';
import { NO_ANSWERS } from './input-responses.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import type { ReplayCall } from './mrtr.engine.js';
import type { ReplayLimits } from './replay-limits.js';

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
    signal: new AbortController().signal,
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
