import { SessionNotFoundException, TooManySessionsException } from '../../exceptions/index.js';
import type { McpSessionRecord, McpSessionStore } from '../../exchange/index.js';
import type { HttpSession } from './http-session.js';

/** How long a session may stay without its client having said that it is ready. */
const GETTING_READY_MS = 60_000;
const SWEEP_MS = 30_000;
/** Ids are made by `randomUUID()`; no store is asked for anything else. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A session is kept anew when so much of the time it is kept for is over. */
const KEPT_ANEW = 1 / 4;

export interface SessionLimits {
  readonly maxOpen: number;
  readonly idleMs: number;
}

/** Makes a session that another instance, or an earlier process, has begun. */
export type Revive = (record: McpSessionRecord) => Promise<HttpSession>;

/**
 * The sessions of this instance, and of a store that it shares with others.
 *
 * 1. One that is not its caller's is not found, as if it were not there.
 * 2. One that nobody has used for `idleMs` ends; one whose client never got ready, sooner.
 * 3. No more than `maxOpen` are open here. None of somebody's is ended for another's sake.
 * 4. What a store does not know any more has ended, whatever is open here; and what ends here because
 *    this instance does stays in the store.
 */
export class HttpSessions {
  private readonly open = new Map<string, HttpSession>();
  private readonly reviving = new Map<string, Promise<HttpSession>>();
  private sweeping: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: SessionLimits,
    private readonly now: () => number,
    private readonly store?: McpSessionStore,
  ) {}

  /** @throws TooManySessionsException */
  add(session: HttpSession): void {
    this.refuseIfFull();
    this.open.set(session.session.id, session);
    this.sweeping ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  /**
   * The session of a caller, who is using it.
   * @throws SessionNotFoundException, and what the store throws
   */
  async find(id: string, principal: string | null, revive: Revive): Promise<HttpSession> {
    if (!ID.test(id)) throw new SessionNotFoundException();
    const record = await this.store?.load(id);
    const here = this.open.get(id);
    if (this.store !== undefined && record === undefined) {
      if (here?.session.principal === principal) this.close(here);
      throw new SessionNotFoundException();
    }
    if (record !== undefined && record.principal !== principal)
      throw new SessionNotFoundException();
    const found = here ?? (record && (await this.revived(id, record, revive)));
    if (found?.session.principal !== principal) throw new SessionNotFoundException();
    if (record === undefined && this.isOver(found)) {
      this.close(found);
      throw new SessionNotFoundException();
    }
    if (record?.isReady === true) found.isReady = true;
    if (record?.logLevel !== undefined) found.session.logLevel = record.logLevel;
    found.lastSeenMs = this.now();
    return found;
  }

  /** Has the store keep what has changed of a session, or that it is used still. */
  async keep(session: HttpSession): Promise<void> {
    if (this.store === undefined) return;
    const { idleMs } = this.limits;
    const { record } = session;
    const text = JSON.stringify(record);
    const { kept } = session;
    const now = this.now();
    if (kept?.text === text && now - kept.atMs < idleMs * KEPT_ANEW) return;
    session.kept = { text, atMs: now };
    await this.store.save(session.session.id, record, this.allowedMs(session));
  }

  /** Ends a session here. */
  close(session: HttpSession): void {
    this.open.delete(session.session.id);
    session.close();
  }

  /** Its client has ended it. */
  async end(session: HttpSession): Promise<void> {
    this.close(session);
    await this.store?.remove(session.session.id);
  }

  /** This instance ends. */
  closeAll(): void {
    clearInterval(this.sweeping);
    this.sweeping = undefined;
    for (const session of [...this.open.values()]) this.close(session);
  }

  /** Requests that come at once have one session. */
  private revived(id: string, record: McpSessionRecord, revive: Revive): Promise<HttpSession> {
    const begun = this.reviving.get(id);
    if (begun !== undefined) return begun;
    const made = (async () => {
      this.refuseIfFull();
      const session = await revive(record);
      try {
        this.add(session);
      } catch (error) {
        session.close();
        throw error;
      }
      return session;
    })().finally(() => this.reviving.delete(id));
    this.reviving.set(id, made);
    return made;
  }

  private refuseIfFull(): void {
    const { maxOpen } = this.limits;
    if (this.open.size < maxOpen) return;
    this.sweep();
    if (this.open.size >= maxOpen) throw new TooManySessionsException(maxOpen);
  }

  private sweep(): void {
    for (const session of [...this.open.values()]) {
      if (this.isOver(session)) this.close(session);
      // An open stream is use; whoever sends the next request hears what the store has to say.
      else if (session.isBusy) this.renew(session).catch(() => undefined);
    }
  }

  /** Keeps a session that is in use without a request, unless it was ended elsewhere. */
  private async renew(session: HttpSession): Promise<void> {
    if (this.store === undefined) return;
    const record = await this.store.load(session.session.id);
    if (record === undefined) this.close(session);
    else await this.keep(session);
  }

  private isOver(session: HttpSession): boolean {
    return !session.isBusy && this.now() - session.lastSeenMs > this.allowedMs(session);
  }

  /** How long a session may stay unused. */
  private allowedMs({ isReady }: HttpSession): number {
    const { idleMs } = this.limits;
    return isReady ? idleMs : Math.min(idleMs, GETTING_READY_MS);
  }
}
