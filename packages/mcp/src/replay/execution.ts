import {
  InvalidAskException,
  LedgerMismatchException,
  OutsideHandlerException,
  type RequestStateRejectedException,
} from '../exceptions/index.js';
import type { InputRequest } from '../protocol/index.js';
import { checkAnswerShape } from './answer-shape.js';
import { type Ask, ASK_KINDS, type Verdict } from './ask.js';
import type { UnclaimedAnswers } from './input-responses.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import { InputRequiredException, markAskRejection } from './suspension.js';

/** Characters of an author's key; `:` is kept for repeats. */
const KEY_PATTERN = /^[A-Za-z0-9_.-]{1,64}$/;
const RESERVED_KEY = new RegExp(`^(?:${ASK_KINDS.join('|')})-\\d+$`);

/**
 * One pass through a handler.
 *
 * 1. A question claims its key when it is asked, synchronously, so that keys follow the order of
 *    asking and not the order of answers.
 * 2. A settled question returns its recorded outcome; nothing else of it is looked at but its
 *    fingerprint, which must be that of the ledger.
 * 3. Unanswered questions are gathered until one macrotask has passed; then the batch closes, they
 *    all reject with one signal, and whatever is asked later in the round rejects with it too,
 *    unrecorded.
 * 4. A mismatch or a malformed answer poisons the round: every later question rejects with it, and
 *    the executor rethrows it whatever the handler makes of it.
 * 5. Judging that is still under way when the handler settles is awaited before the round is read.
 * 6. After that, nothing can be asked: late questions of a suspended round get its signal, those of
 *    another are refused.
 * 7. What the handler tells its client on the way (progress, logs) is heard once: where the round has
 *    come to what the one before left open, and only until it asks something new itself, for all that
 *    follows is played again.
 * 8. Whatever a question rejects with is marked, so that a branch nobody awaits cannot end the process.
 */
export class ReplayExecution {
  private readonly ordinals = new Map<string, number>();
  private readonly waiting: ((signal: InputRequiredException) => void)[] = [];
  private readonly judging = new Set<Promise<unknown>>();
  private readonly questions = new Map<string, InputRequest>();
  /** Slots of earlier rounds that this one has not come to yet. */
  private ahead: number;
  /** True on ground that no earlier round has covered. */
  private fresh: boolean;
  private closing = false;
  private settled = false;
  private signal?: InputRequiredException;
  private poison?: LedgerMismatchException | RequestStateRejectedException;

  constructor(
    /** Name of the handler, for messages. */
    private readonly handler: string,
    private readonly ledger: Ledger,
    private readonly unclaimed: UnclaimedAnswers = new Map(),
  ) {
    this.ahead = ledger.size;
    this.fresh = this.ahead === 0;
  }

  /** The questions the client must answer next. */
  get pending(): ReadonlyMap<string, InputRequest> {
    return this.questions;
  }

  /** Why the round must be refused, if it must. */
  get failure(): LedgerMismatchException | RequestStateRejectedException | undefined {
    return this.poison;
  }

  /**
   * True where what the handler says has been heard in an earlier round, or will be in a later one, or
   * comes after its end.
   */
  get muted(): boolean {
    return !this.fresh || this.questions.size > 0 || this.settled;
  }

  /**
   * Asks a question. Not `async`: the key must be claimed before anything else runs, and misuse is
   * still reported as a rejection.
   * @param pose makes the question; not called when nothing can be asked
   */
  ask<T>(pose: () => Ask<T>): Promise<T> {
    if (this.poison !== undefined) return reject(this.poison);
    if (this.signal !== undefined) return reject(this.signal);
    if (this.settled) return this.askTooLate();
    try {
      const ask = pose();
      return this.answer(ask, this.slot(this.claim(ask), ask));
    } catch (error) {
      return reject(error as Error);
    }
  }

  /** Ends the round: waits for judging under way, after which nothing can be asked. */
  async settle(): Promise<void> {
    while (this.judging.size > 0) await Promise.allSettled(this.judging);
    this.settled = true;
  }

  private claim(ask: Ask<unknown>): string {
    if (ask.key === undefined) return `${ask.kind}-${this.next(ask.kind)}`;
    if (!KEY_PATTERN.test(ask.key) || RESERVED_KEY.test(ask.key)) {
      throw new InvalidAskException(
        `"${this.handler}" names a question ${JSON.stringify(ask.key)}, which cannot be a key`,
        'Use 1 to 64 letters, digits, "_", "." or "-", and not the form of unnamed keys such as "elicit-1"',
      );
    }
    const ordinal = this.next(`:${ask.key}`);
    return ordinal === 1 ? ask.key : `${ask.key}:${ordinal}`;
  }

  private next(counter: string): number {
    const ordinal = (this.ordinals.get(counter) ?? 0) + 1;
    this.ordinals.set(counter, ordinal);
    return ordinal;
  }

  /** The ledger's slot for a key; a new one takes along an answer that came without state. */
  private slot(key: string, ask: Ask<unknown>): LedgerEntry {
    const known = this.ledger.get(key);
    const { kind, fingerprint, label } = ask;
    if (known === undefined) {
      const entry: LedgerEntry = { key, kind, fingerprint, label };
      if (ask.key !== undefined && this.unclaimed.has(key)) {
        entry.offer = this.poisoning(() => checkAnswerShape(kind, key, this.unclaimed.get(key)));
      }
      return this.ledger.add(entry);
    }
    if (known.fingerprint !== fingerprint) {
      const position = this.ledger.position(key);
      return this.poisoning(() => {
        throw new LedgerMismatchException(this.handler, key, position, known, ask);
      });
    }
    this.ahead -= 1;
    // Whatever came after an open question was muted in the round that left it open.
    if (known.outcome === undefined || this.ahead === 0) this.fresh = true;
    return known;
  }

  /** A round that suspends has one signal for all; otherwise a late question is a mistake. */
  private askTooLate(): Promise<never> {
    return this.closing
      ? this.waitForSignal()
      : reject(new OutsideHandlerException('A question', `after "${this.handler}" had settled`));
  }

  /** Runs a check whose failure ends the whole round, not just the question. */
  private poisoning<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      this.poison = error as LedgerMismatchException | RequestStateRejectedException;
      throw error;
    }
  }

  private answer<T>(ask: Ask<T>, entry: LedgerEntry): Promise<T> {
    if (entry.outcome !== undefined) return Promise.resolve(ask.revive(entry.outcome));
    if (entry.offer === undefined) return this.suspend(entry.key, ask.request);
    const verdict = ask.judge(entry.offer);
    return verdict instanceof Promise
      ? this.await(verdict.then((late) => this.apply(ask, entry, late)))
      : this.apply(ask, entry, verdict);
  }

  private apply<T>(ask: Ask<T>, entry: LedgerEntry, verdict: Verdict): Promise<T> {
    delete entry.offer;
    if (!verdict.accepted) return this.suspend(entry.key, ask.restate(verdict.reasons));
    entry.outcome = verdict.outcome;
    return Promise.resolve(ask.revive(verdict.outcome));
  }

  private await<T>(judging: Promise<T>): Promise<T> {
    this.judging.add(judging);
    const done = (): void => void this.judging.delete(judging);
    judging.then(done, done);
    return judging;
  }

  private suspend(key: string, request: InputRequest): Promise<never> {
    this.questions.set(key, request);
    if (this.signal !== undefined) return reject(this.signal);
    if (!this.closing) {
      this.closing = true;
      setImmediate(() => this.close());
    }
    return this.waitForSignal();
  }

  private waitForSignal(): Promise<never> {
    return new Promise<never>((_, rejectWith) => this.waiting.push(rejectWith));
  }

  private close(): void {
    this.signal = new InputRequiredException();
    for (const rejectWith of this.waiting) rejectWith(this.signal);
  }
}

/** A failed question must not end the process when its branch is awaited late, or never. */
function reject(reason: Error): Promise<never> {
  markAskRejection(reason);
  return Promise.reject(reason);
}
