import { InvalidRequestException, SessionNotFoundException } from '../../exceptions/index.js';
import type { HttpResponsePort } from '../http/http-port.js';
import type { McpSessionRecord } from '../../exchange/index.js';
import { isSince } from './legacy-client.js';
import { LegacySession, type LegacySessionSetup } from './legacy.session.js';
import { ResumableStream, type StreamLimits } from './resumable.stream.js';

/** How many streams that have ended are kept at once for clients that come back. */
const KEPT_STREAMS = 16;
const EVENT_ID = /^(.+)-(\d{1,15})$/;

/**
 * A session over HTTP: its streams, and when it was last heard of.
 *
 * 1. What belongs to no request goes to the standing stream that the client has opened with GET, and
 *    nowhere before it has.
 * 2. Every message is sent on one stream only.
 * 3. What a client misses that is away, or reads too slowly, ends no subscription: it comes back.
 */
export class HttpSession {
  readonly session: LegacySession;
  /** Whether the client has said that it is ready. */
  isReady = false;
  /** When it was last used, in epoch milliseconds. */
  lastSeenMs: number;
  /** What the store keeps of it, and since when, in epoch milliseconds. */
  kept: { readonly text: string; readonly atMs: number } | undefined;
  private readonly limits: StreamLimits;
  private readonly streams = new Map<string, ResumableStream>();
  private readonly retired = new Set<ResumableStream>();
  private readonly standing: ResumableStream;
  private isStanding = false;
  private isClosed = false;
  private made = 0;

  constructor(
    setup: Omit<LegacySessionSetup, 'outbox'>,
    /** Epoch milliseconds. */
    private readonly now: () => number,
  ) {
    const { http, sessions } = setup.options;
    const { keepAliveMs, maxBufferedBytes } = http;
    this.limits = { keepAliveMs, maxBufferedBytes, resumeMs: sessions.resumeMs };
    this.lastSeenMs = now();
    this.standing = this.stream({ ...this.limits, resumeMs: undefined });
    this.session = new LegacySession({ ...setup, outbox: (message) => this.tell(message) });
  }

  /** What a store keeps of it. */
  get record(): McpSessionRecord {
    const { principal, client, logLevel, watchedUris: watched } = this.session;
    return { principal, ...client, isReady: this.isReady, logLevel, watched };
  }

  /** Whether something of it is under way: it does not expire then. */
  get isBusy(): boolean {
    return !this.session.isIdle || this.standing.isAttached;
  }

  /** Whether streams begin with an event that clients can come back to. */
  get primes(): boolean {
    // Clients of earlier revisions take every event for a message.
    return isSince(this.session.client.revision, '2025-11-25');
  }

  stream(limits = this.limits): ResumableStream {
    this.made += 1;
    const stream = new ResumableStream(`s${this.made}`, limits);
    this.streams.set(stream.id, stream);
    return stream;
  }

  /** Nobody needs a stream any more, but a client that comes back for its end, and not for long. */
  retire(stream: ResumableStream): void {
    if (!stream.isResumable) {
      this.forget(stream);
      return;
    }
    const [oldest] = this.retired;
    if (oldest !== undefined && this.retired.size >= KEPT_STREAMS) this.forget(oldest);
    this.retired.add(stream);
    setTimeout(() => this.forget(stream), this.limits.resumeMs).unref();
  }

  /**
   * Sends on the standing stream from now on.
   * @throws SessionNotFoundException when it has ended in the meantime
   */
  stand(port: HttpResponsePort): void {
    if (this.isClosed) throw new SessionNotFoundException();
    port.openStream();
    this.detachOnAbort(this.standing, port);
    this.isStanding = true;
    this.standing.attach(port, this.primes);
  }

  /**
   * Goes on with a stream where its client has lost it.
   * @throws InvalidRequestException when that is not kept
   */
  resume(lastEventId: string, port: HttpResponsePort): void {
    const [, id = '', sequence = ''] = EVENT_ID.exec(lastEventId) ?? [];
    const stream = this.streams.get(id);
    const after = Number(sequence);
    if (stream?.has(after) !== true) {
      throw new InvalidRequestException(
        'What followed Last-Event-ID is kept no longer. Open the stream without it.',
      );
    }
    port.openStream();
    this.detachOnAbort(stream, port);
    stream.resume(port, after);
  }

  close(): void {
    this.isClosed = true;
    this.session.close();
    for (const stream of this.streams.values()) stream.end();
    this.streams.clear();
  }

  private forget(stream: ResumableStream): void {
    this.streams.delete(stream.id);
    this.retired.delete(stream);
  }

  private tell(message: object): boolean {
    if (this.isStanding && !this.standing.send(message)) {
      this.standing.cut();
      this.standing.send(message);
    }
    return true;
  }

  private detachOnAbort(stream: ResumableStream, port: HttpResponsePort): void {
    port.onAbort(() => {
      // It was in use until now.
      this.lastSeenMs = this.now();
      stream.detach(port);
    });
  }
}
