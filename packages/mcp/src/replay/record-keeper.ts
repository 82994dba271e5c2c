import { randomUUID } from 'node:crypto';
import {
  EntryTooLargeException,
  InvalidStepException,
  LedgerMismatchException,
} from '../exceptions/index.js';
import type { JsonValue } from '../protocol/index.js';
import type { Ledger, RecordEntry, RecordKind } from './ledger.js';
import { recordText } from './record-value.js';
import type { Recorded } from './recorded.js';
import type { SlotKeys } from './slot-keys.js';
import {
  attempt,
  idempotencyKey,
  MAX_RETRIES,
  type StepOptions,
  type StepWork,
  stepStorage,
} from './step.js';

/** What the keeper needs to know of the round, and tells it. */
export interface RecordedRound {
  /** Name of the handler, for messages. */
  readonly handler: string;
  readonly conversationId: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** Aborts when the round suspends. */
  readonly closed: AbortSignal;
  /** True where an earlier round has been. */
  readonly replaying: boolean;
  /** Longest JSON of a record, in bytes. */
  readonly maxEntryBytes: number;
  /** Epoch milliseconds. */
  now(): number;
  /** The handler has come to an entry. */
  reach(entry: RecordEntry): void;
  /** Keeps the ledger, where its carrier does so before a round ends. */
  save(): Promise<void> | undefined;
  /** A step has been recorded. @throws the signal that ends a rehearsed pass */
  recorded(): void;
  /** Work to be awaited before the round is read. */
  track<T>(key: string, work: Promise<T>): Promise<T>;
  /** Ends the round. */
  fail(mismatch: LedgerMismatchException): never;
}

/**
 * Records what a handler does and draws, once a conversation.
 *
 * 1. What is recorded is never done again: later rounds read it.
 * 2. A value goes through JSON on its first way too, so that live and replayed are alike; each reader
 *    gets a copy, so that changing it changes no ledger.
 * 3. Failures are not recorded: the step is tried again, in this round if it has retries, else in the
 *    next.
 * 4. Where the carrier keeps the ledger before a round ends, work begins when what was drawn before it
 *    is kept, and its value is given when that is.
 * 5. Nothing nests: a step that asks, or holds a step, would be recorded before what it consists of.
 */
export class RecordKeeper {
  /** Whether something was drawn that a step may build on, and that is not kept yet. */
  private drawn = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly keys: SlotKeys,
    private readonly round: RecordedRound,
  ) {}

  /** Not `async`: the key is claimed in the order of the calls. @throws InvalidStepException */
  step<T>(name: string, work: StepWork<T>, options: StepOptions): Promise<Recorded<T>> {
    this.refuseNesting(`the step ${JSON.stringify(name)}`);
    this.checkOptions(name, work, options);
    const key = this.keys.step(name);
    const known = this.ledger.record(key);
    if (known === undefined) return this.round.track(key, this.perform(key, name, work, options));
    this.round.reach(known);
    return Promise.resolve(copy(known.outcome) as Recorded<T>);
  }

  /** Epoch milliseconds. */
  now(): number {
    return this.draw('now', () => this.round.now());
  }

  /** 0 to 1, 1 excluded. */
  random(): number {
    return this.draw('random', Math.random);
  }

  uuid(): string {
    return this.draw('uuid', randomUUID);
  }

  /**
   * The branch this conversation takes: the newest where it comes for the first time, the oldest where
   * it has been before the branch was there.
   * @throws LedgerMismatchException when the code has lost the branch
   */
  version(name: string, oldest: number, newest: number): number {
    this.refuseNesting(`the version ${JSON.stringify(name)}`);
    if (!Number.isSafeInteger(oldest) || !Number.isSafeInteger(newest) || oldest > newest) {
      throw new InvalidStepException(
        `"${this.round.handler}" has a version ${JSON.stringify(name)} of ${oldest} to ${newest}`,
        'Give two integers, the oldest version that is still supported first',
      );
    }
    const key = this.keys.version(name);
    const known = this.ledger.record(key);
    if (known === undefined) {
      const outcome = this.round.replaying ? oldest : newest;
      this.ledger.add({ key, kind: 'version', outcome });
      this.drawn = true;
      return outcome;
    }
    this.round.reach(known);
    const recorded = known.outcome as number;
    if (recorded >= oldest && recorded <= newest) return recorded;
    return this.round.fail(
      new LedgerMismatchException(
        this.round.handler,
        key,
        this.ledger.position(key),
        { kind: 'version', label: String(recorded) },
        { kind: 'version', label: `${oldest} to ${newest}` },
      ),
    );
  }

  /** @throws InvalidStepException within a step */
  refuseNesting(what: string): void {
    const running = stepStorage.getStore();
    if (running?.owner !== this) return;
    throw new InvalidStepException(
      `"${this.round.handler}" has ${what} within the step ${JSON.stringify(running.name)}`,
      'A step is one piece of work: ask before or after it, and put steps side by side. Within a step, Date.now() and ' +
        'Math.random() may be used as they are, since its value is recorded',
    );
  }

  /** @throws InvalidStepException outside of a step */
  get idempotencyKey(): string {
    const running = stepStorage.getStore();
    if (running?.owner === this) return running.scope.idempotencyKey;
    throw new InvalidStepException(
      `"${this.round.handler}" has no idempotency key where no step is running: two pieces of work would share it`,
      'Read it within ctx.step(name, …)',
    );
  }

  private async perform<T>(
    key: string,
    name: string,
    work: StepWork<T>,
    options: StepOptions,
  ): Promise<Recorded<T>> {
    const { conversationId, signal, closed } = this.round;
    if (this.drawn) await this.save();
    const idempotent = idempotencyKey(conversationId, key);
    const value = await attempt(
      (count) => {
        const scope = { idempotencyKey: idempotent, attempt: count, signal };
        return stepStorage.run({ owner: this, name, scope }, async () => work(scope));
      },
      options,
      [signal, closed],
    );
    const text = this.toText(key, value);
    this.ledger.add({
      key,
      kind: 'step',
      ...(text !== undefined && { outcome: JSON.parse(text) as JsonValue }),
    });
    await this.save();
    this.round.recorded();
    return (text === undefined ? undefined : JSON.parse(text)) as Recorded<T>;
  }

  private save(): Promise<void> | undefined {
    this.drawn = false;
    return this.round.save();
  }

  private toText(key: string, value: unknown): string | undefined {
    const { handler, maxEntryBytes } = this.round;
    const record = recordText(value);
    if (!record.ok) {
      throw new InvalidStepException(
        `The entry "${key}" of "${handler}" cannot be recorded: ${record.fact}`,
        record.mend,
      );
    }
    const bytes = Buffer.byteLength(record.text ?? '');
    if (bytes > maxEntryBytes) {
      throw new EntryTooLargeException(handler, key, bytes, maxEntryBytes);
    }
    return record.text;
  }

  private draw<T extends number | string>(kind: RecordKind, make: () => T): T {
    this.refuseNesting(`${kind}()`);
    const key = this.keys.unnamed(kind);
    const known = this.ledger.record(key);
    if (known === undefined) {
      const outcome = make();
      this.ledger.add({ key, kind, outcome });
      this.drawn = true;
      return outcome;
    }
    this.round.reach(known);
    return known.outcome as T;
  }

  private checkOptions(name: string, work: unknown, options: StepOptions): void {
    const { retries = 0, backoffMs = 0 } = options;
    const { handler } = this.round;
    if (typeof work !== 'function') {
      throw new InvalidStepException(
        `The step ${JSON.stringify(name)} of "${handler}" has no work to do`,
        'Give a function: ctx.step(name, () => …)',
      );
    }
    if (!isCount(retries, MAX_RETRIES) || !isCount(backoffMs, Number.MAX_SAFE_INTEGER)) {
      throw new InvalidStepException(
        `The step ${JSON.stringify(name)} of "${handler}" has ${retries} retries with ${backoffMs} ms between them`,
        `Give integers: at most ${MAX_RETRIES} retries, and milliseconds`,
      );
    }
  }
}

function isCount(value: unknown, most: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;
}

/** What the handler does with its copy is its own affair. */
function copy(outcome: JsonValue | undefined): JsonValue | undefined {
  return typeof outcome === 'object' && outcome !== null ? structuredClone(outcome) : outcome;
}
