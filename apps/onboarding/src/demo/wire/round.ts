/** An answer as it was sent. */
export interface SentAnswer {
  readonly action: string;
  readonly content?: unknown;
}

/** A question as it came back. */
export interface AskedQuestion {
  readonly key: string;
  readonly method: string;
}

/** What came back: a result, which may be a question, or an error. */
export type RoundOutcome =
  | {
      readonly type: 'result';
      readonly resultType: string;
      readonly questions: readonly AskedQuestion[];
      /** Bytes of the sealed token. */
      readonly stateBytes: number | undefined;
    }
  | {
      readonly type: 'error';
      readonly status: number;
      readonly code: number | undefined;
      readonly message: string;
    };

/** One pass through a handler, as it travelled. */
export interface Round {
  /** From 1 in every conversation. */
  readonly number: number;
  readonly method: string;
  /** Tool or prompt name, or the uri that is read. */
  readonly target: string;
  readonly answers: ReadonlyMap<string, SentAnswer>;
  /** Bytes of the sealed token that was sent back. */
  readonly stateBytes: number | undefined;
  readonly outcome: RoundOutcome;
}
