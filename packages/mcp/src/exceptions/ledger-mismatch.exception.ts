import { IntrinsicException } from '@nestjs/common';

/** One side of a mismatch, as the ledger or the handler has it. */
export interface LedgerQuestion {
  /** `elicit`, `sample`, `roots` or `version`. */
  readonly kind: string;
  /** SHA-256 over the canonical question: 43 characters of base64url; a version has none. */
  readonly fingerprint?: string;
  /** The first words of the question, or the version. */
  readonly label: string;
}

/**
 * A replayed handler asked something else at a slot the ledger already holds, or has lost the version
 * that is recorded there: it is not deterministic, or it was changed while the conversation was under
 * way.
 */
export class LedgerMismatchException extends IntrinsicException {
  readonly recorded: LedgerQuestion;
  readonly attempted: LedgerQuestion;

  constructor(
    readonly handler: string,
    readonly key: string,
    /** 1-based place of the slot in the ledger. */
    readonly position: number,
    recorded: LedgerQuestion,
    attempted: LedgerQuestion,
  ) {
    super(
      `Replay mismatch in "${handler}" at entry #${position} (key "${key}"): the ledger holds ` +
        `${describe(recorded)}, the handler now has ${describe(attempted)}. ${REPLAY_CONTRACT}`,
    );
    this.name = 'LedgerMismatchException';
    this.recorded = only(recorded);
    this.attempted = only(attempted);
  }
}

/** What a handler owes the engine; repeated in every mismatch. */
export const REPLAY_CONTRACT =
  'The idempotency contract: played again with the same answers, a handler must ask the same questions in the same order. ' +
  'Start the call anew, without any requestState.';

function describe(question: LedgerQuestion): string {
  return `${question.kind} ${JSON.stringify(question.label)}`;
}

/** Leaves out answers and whatever else the caller's object holds. */
function only({ kind, fingerprint, label }: LedgerQuestion): LedgerQuestion {
  return { kind, ...(fingerprint !== undefined && { fingerprint }), label };
}
