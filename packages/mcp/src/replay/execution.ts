import {
  InvalidDetachException,
  LedgerMismatchException,
  OutsideHandlerException,
  type RequestStateRejectedException,
  UnfitAnswerException,
  UnsavedEntriesException,
} from '../exceptions/index.js';
import type { InputRequest } from '../protocol/index.js';
import { checkAnswerShape } from './answer-shape.js';
import type { Ask, Verdict } from './ask.js';
import type { UnclaimedAnswers } from './input-responses.js';
import { type AskEntry, isQuestion, type Ledger, type LedgerEntry } from './ledger.js';
import { type RecordedRound, RecordKeeper } from './record-keeper.js';
import type { Recorded } from './recorded.js';
import { SlotKeys } from './slot-keys.js';
import type { StepOptions, StepWork } from './step.js';
import { InputRequiredException, markAskRejection, rejected, unheard } from './suspension.js';

/** What a round is played with. */
export interface RoundSetup {
  /** Name of the handler, for messages. */
  readonly handler: string;
  readonly conversationId: string;
  readonly ledger: Ledger;
  readonly unclaimed: UnclaimedAnswers;
  /** Its signal aborts when the client goes away, and is made when it is looked at: most handlers never do. */
  readonly call: { readonly signal: AbortSignal };
  /** How many answers to one question may not fit. */
  readonly maxAttempts: number;
  /** Longest JSON of what a step returns, in bytes. */
  readonly maxEntryBytes: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Whether a pass ends at the first thing it records, to be played again with it; see `McpInProcess`. */
  readonly rehearsed?: boolean;
  /** Keeps what is recorded before the handler learns of it. */
  readonly save?: SaveEntries;
  /** What `detach()` does now; `undefined` where it may not be called. */
  readonly detach?: () => 'leave' | 'stay' | undefined;
}

/** Keeps a ledger, where it is kept before a round ends. What it rejects with fails the round. */
export type SaveEntries = (entries: readonly LedgerEntry[]) => Promise<void> | undefined;

/** Why a round must be refused, whatever its handler has made of it. */
export type RoundFailure =
  | LedgerMismatchException
  | RequestStateRejectedException
  | UnfitAnswerException
  | UnsavedEntriesException;

/**
 * One pass through a handler.
 *
 * 1. A question claims its key when it is asked, synchronously, so that keys follow the order of
 *    asking and not the order of answers. So does a step.
 * 2. A settled question returns its recorded outcome; nothing else of it is looked at but its
 *    fingerprint, which must be that of the ledger.
 * 3. Unanswered questions are gathered until one macrotask has passed; then the batch closes, they
 *    all reject with one signal, and whatever is asked, begun or drawn later in the round meets it
 *    too, unrecorded.
 * 4. A mismatch, a malformed answer and one that did not fit too often poison the round: every later
 *    question rejects with it, and the executor rethrows it whatever the handler makes of it.
 * 5. Judging and steps that are still under way when the handler settles are awaited before the round
 *    is read.
 * 6. After that, nothing can be asked: late questions of a suspended round get its signal, those of
 *    another are refused.
 * 7. What the handler tells its client on the way (progress, logs) is heard once: where the round has
 *    come to what the one before left open, and only until it asks something new itself, for all that
 *    follows is played again.
 * 8. Whatever a question or a step rejects with is marked, and so is what drawing throws: a branch that
 *    nobody awaits cannot end the process.
 * 9. A rehearsed pass ends where it records an answer or a step, as if a question were open there: what
 *    stands after it runs in the next pass only.
 * 10. A pass that is detached ends there, whatever is open; it is played again where the call goes on.
 */
export class ReplayExecution implements RecordedRound {
  readonly conversationId: string;
  readonly maxEntryBytes: number;
  readonly now: () => number;
  private readonly ledger: Ledger;
  private readonly keys: SlotKeys;
  private readonly records: RecordKeeper;
  private readonly waiting: ((signal: InputRequiredException) => void)[] = [];
  /** Judging and steps under way, by key. */
  private readonly working = new Map<Promise<unknown>, string>();
  private readonly questions = new Map<string, InputRequest>();
  /** Entries of earlier rounds that this one has not come to yet. */
  private readonly ahead: Set<string>;
  /** Since when the round is on ground that no earlier one has covered, of `performance.now()`. */
  private since?: number;
  private settled = false;
  /** There from the first open question on. */
  private suspension?: InputRequiredException;
  private closing?: AbortController;
  private isClosed = false;
  private isInterrupted = false;
  private isDetached = false;
  private poison?: RoundFailure;

  constructor(private readonly setup: RoundSetup) {
    const { ledger, handler } = setup;
    this.conversationId = setup.conversationId;
    this.maxEntryBytes = setup.maxEntryBytes;
    this.now = setup.now;
    this.ledger = ledger;
    this.keys = new SlotKeys(handler);
    this.records = new RecordKeeper(ledger, this.keys, this);
    this.ahead = new Set(ledger.keys);
    if (this.ahead.size === 0) this.since = performance.now();
  }

  get handler(): string {
    return this.setup.handler;
  }

  get signal(): AbortSignal {
    return this.setup.call.signal;
  }

  /** The questions the client must answer next. */
  get pending(): ReadonlyMap<string, InputRequest> {
    return this.questions;
  }

  /** Why the round must be refused, if it must. */
  get failure(): RoundFailure | undefined {
    return this.poison;
  }

  /** True when a rehearsed pass has recorded something: the round is to be played again. */
  get interrupted(): boolean {
    return this.isInterrupted;
  }

  /** True when the call is to go on elsewhere. */
  get detached(): boolean {
    return this.isDetached;
  }

  /** True where an earlier round has been. */
  get replaying(): boolean {
    return this.since === undefined;
  }

  /** When the round came to where the one before had stopped, of `performance.now()`. */
  get freshSince(): number | undefined {
    return this.since;
  }

  /** Entries of earlier rounds that this one has not come to. */
  get leftover(): readonly string[] {
    return [...this.ahead];
  }

  /**
   * A question or a step that a handler which returns now has not awaited. Once the batch has closed a
   * handler may have swallowed its signal, and nothing can be told.
   */
  get forgotten(): string | undefined {
    if (this.isClosed) return undefined;
    const detached = this.isDetached ? ['detach()'] : [];
    return [...this.questions.keys(), ...this.working.values(), ...detached][0];
  }

  /**
   * True where what the handler says has been heard in an earlier round, or will be in a later one, or
   * comes after its end.
   */
  get muted(): boolean {
    const ending = this.questions.size > 0 || this.isDetached || this.isClosed;
    return this.replaying || ending || this.settled;
  }

  /** Aborts when the batch of questions closes; asked for by steps, none of which begins after that. */
  get closed(): AbortSignal {
    this.closing ??= new AbortController();
    return this.closing.signal;
  }

  /**
   * Asks a question. Not `async`: the key must be claimed before anything else runs, and misuse is
   * still reported as a rejection.
   * @param pose makes the question; not called when nothing can be asked
   */
  ask<T>(pose: () => Ask<T>): Promise<T> {
    const refusal = this.refusal('A question');
    if (refusal !== undefined) return rejected(refusal);
    try {
      this.records.refuseNesting('a question');
      const ask = pose();
      return this.answer(ask, this.slot(this.keys.question(ask.kind, ask.key), ask));
    } catch (error) {
      return rejected(error as Error);
    }
  }

  /** Does a piece of work once a conversation; see `RecordKeeper`. */
  step<T>(name: string, work: StepWork<T>, options: StepOptions = {}): Promise<Recorded<T>> {
    const refusal = this.refusal('step()');
    if (refusal !== undefined) return rejected(refusal);
    try {
      return this.records.step(name, work, options);
    } catch (error) {
      return rejected(error as Error);
    }
  }

  /**
   * What is recorded without waiting: moments, random numbers, identifiers and versions.
   * @throws what a question would reject with
   */
  draw<T>(operation: string, read: (records: RecordKeeper) => T): T {
    try {
      const refusal = this.refusal(operation);
      if (refusal !== undefined) throw refusal;
      return read(this.records);
    } catch (error) {
      markAskRejection(error);
      throw error;
    }
  }

  /** Lets the call go on without its request, where it can; resolves when it does. */
  detach(): Promise<void> {
    const refusal = this.refusal('detach()');
    if (refusal !== undefined) return rejected(refusal);
    try {
      this.records.refuseNesting('detach()');
      switch (this.setup.detach?.()) {
        case 'stay':
          return Promise.resolve();
        case 'leave':
          this.isDetached = true;
          return this.suspended();
        case undefined:
          throw new InvalidDetachException(this.handler);
      }
    } catch (error) {
      return rejected(error as Error);
    }
  }

  /**
   * Of the step that is running. A round that suspends awaits its steps, so they can read it to the end.
   * @throws InvalidStepException outside of a step
   */
  get idempotencyKey(): string {
    return this.records.idempotencyKey;
  }

  /** Ends the round: waits for what is under way, after which nothing can be asked. */
  settle(): Promise<void> | undefined {
    if (this.working.size > 0) {
      return Promise.allSettled(this.working.keys()).then(() => this.settle());
    }
    this.settled = true;
    return undefined;
  }

  /** The handler has come to an entry that was there. */
  reach(entry: LedgerEntry): void {
    this.ahead.delete(entry.key);
    // Whatever came after an open question was muted in the round that left it open.
    const open = isQuestion(entry) && entry.outcome === undefined;
    if (open || this.ahead.size === 0) this.since ??= performance.now();
  }

  /** The ledger has gained a step or an answer. @throws InputRequiredException which ends a rehearsed pass */
  recorded(): void {
    if (this.setup.rehearsed !== true) return;
    this.isInterrupted = true;
    this.suspension ??= new InputRequiredException();
    this.close(this.suspension);
    throw this.suspension;
  }

  /** Has the ledger kept, where the carrier does. @throws UnsavedEntriesException which fails the round */
  save(): Promise<void> | undefined {
    return this.setup
      .save?.(this.ledger.entries)
      ?.catch((error: unknown) => this.fail(new UnsavedEntriesException(this.handler, error)));
  }

  track<T>(key: string, work: Promise<T>): Promise<T> {
    this.working.set(work, key);
    const done = (): void => void this.working.delete(work);
    work.then(done, (error: unknown) => {
      done();
      markAskRejection(error);
    });
    return work;
  }

  fail(failure: RoundFailure): never {
    this.poison = failure;
    throw failure;
  }

  /** Why nothing can be asked, begun or drawn any more. */
  private refusal(operation: string): Error | undefined {
    if (this.poison !== undefined) return this.poison;
    if (this.isClosed) return this.suspension;
    if (!this.settled) return undefined;
    return (
      this.suspension ??
      new OutsideHandlerException(operation, `after "${this.handler}" had settled`)
    );
  }

  /** The ledger's slot for a key; a new one takes along an answer that came without state. */
  private slot(key: string, ask: Ask<unknown>): AskEntry {
    const known = this.ledger.question(key);
    const { kind, fingerprint, label } = ask;
    if (known === undefined) {
      const entry: AskEntry = { key, kind, fingerprint, label };
      const { unclaimed } = this.setup;
      if (ask.key !== undefined && unclaimed.has(key)) {
        entry.offer = this.poisoning(() => checkAnswerShape(kind, key, unclaimed.get(key)));
      }
      return this.ledger.add(entry);
    }
    if (known.fingerprint !== fingerprint) {
      this.fail(
        new LedgerMismatchException(this.handler, key, this.ledger.position(key), known, ask),
      );
    }
    this.reach(known);
    return known;
  }

  /** Runs a check whose failure ends the whole round, not just the question. */
  private poisoning<T>(check: () => T): T {
    try {
      return check();
    } catch (error) {
      return this.fail(error as RequestStateRejectedException);
    }
  }

  private answer<T>(ask: Ask<T>, entry: AskEntry): Promise<T> {
    if (entry.outcome !== undefined) return Promise.resolve(ask.revive(entry.outcome));
    if (entry.offer === undefined) return this.suspend(entry.key, ask.request);
    const verdict = ask.judge(entry.offer);
    return verdict instanceof Promise
      ? this.track(
          entry.key,
          verdict.then((late) => this.apply(ask, entry, late)),
        )
      : this.apply(ask, entry, verdict);
  }

  private apply<T>(ask: Ask<T>, entry: AskEntry, verdict: Verdict): Promise<T> {
    if (verdict.accepted) {
      delete entry.offer;
      entry.outcome = verdict.outcome;
      this.recorded();
      return Promise.resolve(ask.revive(verdict.outcome));
    }
    const { key, label } = entry;
    const misfits = (entry.misfits ?? 0) + 1;
    if (misfits >= this.setup.maxAttempts) {
      this.fail(new UnfitAnswerException(key, label, misfits, verdict.reasons));
    }
    delete entry.offer;
    entry.misfits = misfits;
    return this.suspend(key, ask.restate(verdict.reasons));
  }

  private suspend(key: string, request: InputRequest): Promise<never> {
    this.questions.set(key, request);
    return this.suspended();
  }

  private suspended(): Promise<never> {
    if (this.isClosed) return rejected(this.suspension as InputRequiredException);
    if (this.suspension === undefined) {
      this.suspension = new InputRequiredException();
      setImmediate(() => this.close(this.suspension as InputRequiredException));
    }
    return unheard(new Promise<never>((_, rejectWith) => this.waiting.push(rejectWith)));
  }

  private close(signal: InputRequiredException): void {
    this.isClosed = true;
    this.closing?.abort();
    for (const rejectWith of this.waiting) rejectWith(signal);
  }
}
