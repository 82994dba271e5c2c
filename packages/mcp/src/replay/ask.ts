import type { InputRequest, JsonValue } from '../protocol/index.js';

/** What can be asked of the client; also the stem of unnamed keys (`elicit-1`). */
export type AskKind = 'elicit' | 'sample' | 'roots';

/** Every kind, for checks of names. */
export const ASK_KINDS: readonly AskKind[] = ['elicit', 'sample', 'roots'];

/** What the form says of an answer. */
export type Verdict =
  | { readonly accepted: true; readonly outcome: JsonValue }
  /** The user is asked again and reads the reasons. */
  | { readonly accepted: false; readonly reasons: readonly string[] };

/** One question of a handler, ready for the engine. */
export interface Ask<T, R extends InputRequest = InputRequest> {
  readonly kind: AskKind;
  /** The author's name for the question; unnamed questions are counted. */
  readonly key?: string;
  /** The first words of the question, for messages. */
  readonly label: string;
  /** Digest of the handler's question, its kind included: see `fingerprint()`. */
  readonly fingerprint: string;
  /** What the client receives. */
  readonly request: R;
  /** Holds a well-formed answer against the question. */
  judge(answer: JsonValue): Verdict | Promise<Verdict>;
  /** The question again, with the reasons where the user reads them. */
  restate(reasons: readonly string[]): R;
  /** The value the handler receives, made from the recorded outcome. */
  revive(outcome: JsonValue): T;
}
