import type { Conversation, RoundDeparture, SaveEntries } from '../replay/index.js';
import { EntrySaver } from './played-round.js';

/**
 * How one call leaves its request: by `detach()`, after which it is played again elsewhere, or while its
 * round is running, which goes on.
 */
export class Departure implements RoundDeparture {
  /** Resolves when the first round has begun: guards have let the call pass. */
  readonly underWay: Promise<void>;
  private begin!: () => void;
  private current?: Conversation;
  private saver?: EntrySaver;

  constructor(private readonly policy: 'leave' | 'stay') {
    this.underWay = new Promise((resolve) => (this.begin = resolve));
  }

  get detach(): 'leave' | 'stay' {
    return this.left ? 'stay' : this.policy;
  }

  get left(): boolean {
    return this.saver !== undefined;
  }

  /** There once something could not be kept. */
  get lost(): { readonly cause: unknown } | undefined {
    return this.saver?.lost;
  }

  /** What the running round is played with, as it is now. */
  get conversation(): Conversation | undefined {
    return this.current;
  }

  begun(conversation: Conversation): void {
    this.current = conversation;
    this.begin();
  }

  save(...[entries]: Parameters<SaveEntries>): Promise<void> | undefined {
    return this.saver?.save(entries);
  }

  /** From now on what is recorded is kept here. */
  leave(keep: SaveEntries): void {
    this.saver = new EntrySaver(keep);
  }

  /** Nobody has taken it on: it is where it was. */
  comeBack(): void {
    delete this.saver;
  }
}
