import { SessionNotFoundException, TooManySessionsException } from '../../exceptions/index.js';
import type { HttpSession } from './http-session.js';

/** How long a session may stay without its client having said that it is ready. */
const GETTING_READY_MS = 60_000;
const SWEEP_MS = 30_000;

export interface SessionLimits {
  readonly maxOpen: number;
  readonly idleMs: number;
}

/**
 * The sessions of this instance.
 *
 * 1. One that is not its caller's is not found, as if it were not there.
 * 2. One that nobody has used for `idleMs` ends; one whose client never got ready, sooner.
 * 3. No more than `maxOpen` are open. None of somebody's is ended for another's sake.
 */
export class HttpSessions {
  private readonly open = new Map<string, HttpSession>();
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: SessionLimits,
    private readonly now: () => number,
  ) {}

  /** @throws TooManySessionsException */
  refuseIfFull(): void {
    const { maxOpen } = this.limits;
    if (this.open.size < maxOpen) return;
    this.sweep();
    if (this.open.size >= maxOpen) throw new TooManySessionsException(maxOpen);
  }

  add(session: HttpSession): void {
    this.open.set(session.session.id, session);
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /**
   * The session of a caller, who is using it.
   * @throws SessionNotFoundException
   */
  find(id: string, principal: string | null): HttpSession {
    const found = this.open.get(id);
    if (found?.session.principal !== principal) {
      throw new SessionNotFoundException();
    }
    if (this.isOver(found)) {
      this.end(found);
      throw new SessionNotFoundException();
    }
    found.lastSeenMs = this.now();
    return found;
  }

  end(session: HttpSession): void {
    this.open.delete(session.session.id);
    session.close();
  }

  endAll(): void {
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    for (const session of [...this.open.values()]) this.end(session);
  }

  private sweep(): void {
    for (const session of [...this.open.values()]) {
      if (this.isOver(session)) this.end(session);
    }
  }

  private isOver({ isBusy, isReady, lastSeenMs }: HttpSession): boolean {
    const { idleMs } = this.limits;
    const allowed = isReady ? idleMs : Math.min(idleMs, GETTING_READY_MS);
    return !isBusy && this.now() - lastSeenMs > allowed;
  }
}
