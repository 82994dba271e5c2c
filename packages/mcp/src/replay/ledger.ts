import type { JsonValue } from '../protocol/index.js';
import { ASK_KINDS, type AskKind } from './ask.js';

/** What is recorded of a handler's own doing: work, and what no two passes would agree on. */
export type RecordKind = 'step' | 'now' | 'random' | 'uuid' | 'version';

/**
 * A question. It is in one of three states: asked (neither `outcome` nor `offer`), offered (`offer`: an
 * answer no form has judged yet, because the handler has not reached the question since it came),
 * settled (`outcome`).
 */
export interface AskEntry {
  readonly key: string;
  readonly kind: AskKind;
  readonly fingerprint: string;
  /** The first words of the question, for messages. */
  readonly label: string;
  outcome?: JsonValue;
  offer?: JsonValue;
  /** How many answers did not fit; absent while none. */
  misfits?: number;
}

/** Something recorded. It is there once it is done; without an `outcome` it was `undefined`. */
export interface RecordEntry {
  readonly key: string;
  readonly kind: RecordKind;
  readonly outcome?: JsonValue;
}

/** One slot of the ledger. */
export type LedgerEntry = AskEntry | RecordEntry;

/**
 * The ordered record of a conversation's questions and of what its handler has done.
 *
 * 1. Keys are unique; an entry never changes its place, key, kind or fingerprint.
 * 2. A settled entry stays settled: its outcome is what every later round returns.
 * 3. A ledger belongs to one round; carriers read it from and write it to their own form.
 * 4. Keys of records have a `/`, which no key of a question has: no answer of a client can reach one.
 */
export class Ledger {
  private readonly slots = new Map<string, LedgerEntry>();

  constructor(entries: readonly LedgerEntry[] = []) {
    for (const entry of entries) this.slots.set(entry.key, { ...entry });
  }

  get size(): number {
    return this.slots.size;
  }

  get keys(): Iterable<string> {
    return this.slots.keys();
  }

  get entries(): readonly LedgerEntry[] {
    return [...this.slots.values()];
  }

  /** Whether work was done that must not be done again. */
  get hasSteps(): boolean {
    return this.entries.some(({ kind }) => kind === 'step');
  }

  question(key: string): AskEntry | undefined {
    const entry = this.slots.get(key);
    return entry !== undefined && isQuestion(entry) ? entry : undefined;
  }

  record(key: string): RecordEntry | undefined {
    const entry = this.slots.get(key);
    return entry === undefined || isQuestion(entry) ? undefined : entry;
  }

  add<E extends LedgerEntry>(entry: E): E {
    this.slots.set(entry.key, entry);
    return entry;
  }

  /** 1-based place of an entry in the order in which they came. */
  position(key: string): number {
    return [...this.slots.keys()].indexOf(key) + 1;
  }
}

/** Tells questions from records. */
export function isQuestion(entry: LedgerEntry): entry is AskEntry {
  return (ASK_KINDS as readonly string[]).includes(entry.kind);
}

/** A question is answered once its outcome is recorded or an answer waits to be judged. */
export function isAnswered(entry: AskEntry): boolean {
  return entry.outcome !== undefined || entry.offer !== undefined;
}
