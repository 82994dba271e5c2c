import { InvalidAskException, InvalidStepException } from '../exceptions/index.js';
import { ASK_KINDS, type AskKind } from './ask.js';
import type { RecordKind } from './ledger.js';

/** Characters of an author's name for a question, a step or a version; `:` is kept for repeats. */
const NAME = /^[A-Za-z0-9_.-]{1,64}$/;
const RESERVED = new RegExp(`^(?:${ASK_KINDS.join('|')})-\\d+$`);

/**
 * Hands out the keys of one round, in the order in which they are claimed.
 *
 * 1. Unnamed questions are counted by kind (`elicit-1`), and so is what has no name (`now/1`).
 * 2. A name stands for itself; its repeats are counted (`plan`, `plan:2`, `step/charge:2`).
 * 3. A key is claimed when something is asked or begun, never when it ends.
 */
export class SlotKeys {
  private readonly ordinals = new Map<string, number>();

  constructor(
    /** Name of the handler, for messages. */
    private readonly handler: string,
  ) {}

  /** @throws InvalidAskException for a name that cannot be a key */
  question(kind: AskKind, name: string | undefined): string {
    if (name === undefined) return `${kind}-${this.next(kind)}`;
    if (!NAME.test(name) || RESERVED.test(name)) {
      throw new InvalidAskException(
        `"${this.handler}" names a question ${JSON.stringify(name)}, which cannot be a key`,
        'Use 1 to 64 letters, digits, "_", "." or "-", and not the form of unnamed keys such as "elicit-1"',
      );
    }
    return this.repeatable(name);
  }

  /** @throws InvalidStepException for a name that cannot be a key */
  step(name: string): string {
    this.check('step', name);
    return this.repeatable(`step/${name}`);
  }

  /**
   * The same key whenever it is asked for: a conversation takes each of its branches once.
   * @throws InvalidStepException for a name that cannot be a key
   */
  version(name: string): string {
    this.check('version', name);
    return `version/${name}`;
  }

  /** What is not named: moments, random numbers and identifiers. */
  unnamed(kind: RecordKind): string {
    return `${kind}/${this.next(`${kind}/`)}`;
  }

  private check(what: string, name: unknown): void {
    if (typeof name === 'string' && NAME.test(name)) return;
    throw new InvalidStepException(
      `"${this.handler}" names a ${what} ${JSON.stringify(name)}, which cannot be a key`,
      'Use 1 to 64 letters, digits, "_", "." or "-"',
    );
  }

  private repeatable(key: string): string {
    const ordinal = this.next(`:${key}`);
    return ordinal === 1 ? key : `${key}:${ordinal}`;
  }

  private next(counter: string): number {
    const ordinal = (this.ordinals.get(counter) ?? 0) + 1;
    this.ordinals.set(counter, ordinal);
    return ordinal;
  }
}
