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

/** How a task stands. */
export interface ToldTask {
  readonly status: string;
  readonly message: string | undefined;
}

/** What came back: a result, which may be a question or a task, or an error. */
export type RoundOutcome =
  | {
      readonly type: 'result';
      readonly resultType: string;
      readonly questions: readonly AskedQuestion[];
      readonly task: ToldTask | undefined;
      /** Bytes of the sealed token. */
      readonly stateBytes: number | undefined;
    }
  | {
      readonly type: 'error';
      readonly status: number;
      readonly code: number | undefined;
      readonly message: string;
    };

/** One pass through a handler, as it travelled; or what was said of a task. */
export interface Round {
  /** From 1 in every conversation; `undefined` for what is said of a task, which plays its rounds by itself. */
  readonly number: number | undefined;
  readonly method: string;
  /** Tool or prompt name, the uri that is read, or the beginning of the task's id. */
  readonly target: string;
  readonly answers: ReadonlyMap<string, SentAnswer>;
  /** Bytes of the sealed token that was sent back. */
  readonly stateBytes: number | undefined;
  readonly outcome: RoundOutcome;
}
