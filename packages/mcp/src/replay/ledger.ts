import type { JsonValue } from '../protocol/index.js';
import type { AskKind } from './ask.js';

/**
 * One slot of the ledger. It is in one of three states:
 * asked (neither `outcome` nor `offer`), offered (`offer`: an answer no form has judged yet, because
 * the handler has not reached the question since it came), settled (`outcome`).
 */
export interface LedgerEntry {
  readonly key: string;
  readonly kind: AskKind;
  readonly fingerprint: string;
  /** The first words of the question, for messages. */
  readonly label: string;
  outcome?: JsonValue;
  offer?: JsonValue;
}

/**
 * The ordered record of a conversation's questions.
 *
 * 1. Keys are unique; an entry never changes its place, key, kind or fingerprint.
 * 2. A settled entry stays settled: its outcome is what every later round returns.
 * 3. A ledger belongs to one round; carriers read it from and write it to their own form.
 */
export class Ledger {
  private readonly slots = new Map<string, LedgerEntry>();

  constructor(entries: readonly LedgerEntry[] = []) {
    for (const entry of entries) this.slots.set(entry.key, { ...entry });
  }

  get size(): number {
    return this.slots.size;
  }

  get entries(): readonly LedgerEntry[] {
    return [...this.slots.values()];
  }

  get(key: string): LedgerEntry | undefined {
    return this.slots.get(key);
  }

  add(entry: LedgerEntry): LedgerEntry {
    this.slots.set(entry.key, entry);
    return entry;
  }

  /** 1-based place of a key in the order of first asking. */
  position(key: string): number {
    return [...this.slots.keys()].indexOf(key) + 1;
  }
}

/** A slot is answered once its outcome is recorded or an answer waits to be judged. */
export function isAnswered(entry: LedgerEntry): boolean {
  return entry.outcome !== undefined || entry.offer !== undefined;
}
