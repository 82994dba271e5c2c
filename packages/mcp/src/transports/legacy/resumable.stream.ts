import type { HttpResponsePort } from '../http/http-port.js';

export interface StreamLimits {
  /** Between comments on an open stream, 0 for none. */
  readonly keepAliveMs: number;
  /** What may wait for the client, and what is kept for one that comes back, in bytes each. */
  readonly maxBufferedBytes: number;
  /** How long a stream whose connection was lost waits for its client; `undefined` for ever. */
  readonly resumeMs: number | undefined;
}

interface KeptEvent {
  readonly sequence: number;
  readonly text: string;
}

/**
 * An event stream that outlives its connection.
 *
 * 1. Events are numbered from 1 in the order of sending; an event's id is that of the stream and its
 *    number.
 * 2. What is sent is kept, the newest `maxBufferedBytes` of it, for a client that comes back and names
 *    the last event it has seen. One that has missed more than is kept is refused.
 * 3. It has one connection at a time: a newer one takes the place of the one before.
 * 4. Without a connection it waits `resumeMs`, and is lost then; one that never had an event to come
 *    back to is lost at once. One that nothing waits for is never lost.
 */
export class ResumableStream {
  private readonly kept: KeptEvent[] = [];
  private keptBytes = 0;
  private sequence = 0;
  private port: HttpResponsePort | undefined;
  private ended = false;
  private keepAlive: NodeJS.Timeout | undefined;
  private patience: NodeJS.Timeout | undefined;
  private lostBecause: string | undefined;
  private readonly losers: ((reason: string) => void)[] = [];

  /** @param id empty where nobody can come back to it */
  constructor(
    readonly id: string,
    private readonly limits: StreamLimits,
  ) {}

  /** Whether a connection carries it now. */
  get isAttached(): boolean {
    return this.port !== undefined;
  }

  /** Whether there is, or was, something on it to come back to. */
  get isResumable(): boolean {
    return this.sequence > 0 && this.lostBecause === undefined;
  }

  /** Whether nothing more is sent on it. */
  get isOver(): boolean {
    return this.ended || this.lostBecause !== undefined;
  }

  /** Calls back when the client has gone for good; at once if it has. */
  onLost(listener: (reason: string) => void): void {
    if (this.lostBecause === undefined) this.losers.push(listener);
    else listener(this.lostBecause);
  }

  /**
   * Goes on over a connection whose head has been sent.
   * @param prime sends an event without data first, so that the client has something to come back to
   */
  attach(port: HttpResponsePort, prime: boolean): void {
    clearTimeout(this.patience);
    this.release()?.end();
    this.port = port;
    if (this.limits.keepAliveMs > 0) {
      this.keepAlive = setInterval(() => {
        if (!this.isCongested) port.write(': keep-alive\n\n');
      }, this.limits.keepAliveMs);
      this.keepAlive.unref();
    }
    if (prime) this.write('');
  }

  /** Goes on over a connection with everything after an event that the stream {@link has}. */
  resume(port: HttpResponsePort, after: number): void {
    this.attach(port, false);
    for (const { sequence, text } of this.kept) {
      if (sequence > after) port.write(text);
    }
    if (this.ended) this.finishPort();
  }

  /** Whether everything after an event is kept, and the stream is not lost. */
  has(after: number): boolean {
    if (this.lostBecause !== undefined) return false;
    const oldest = this.kept[0]?.sequence ?? this.sequence + 1;
    return after >= oldest - 1 && after <= this.sequence;
  }

  /** Sends a message; `false` when it was left out. */
  send(message: object): boolean {
    if (this.isOver || this.isCongested) return false;
    this.write(JSON.stringify(message));
    return true;
  }

  /** Sends an answer, however much is waiting. */
  answer(body: string): void {
    if (!this.isOver) this.write(body);
  }

  /** Ends without a message. */
  end(): void {
    this.ended = true;
    this.losers.length = 0;
    clearTimeout(this.patience);
    this.finishPort();
  }

  /** The connection was lost, if it is still that of the stream. */
  detach(port: HttpResponsePort): void {
    if (port !== this.port) return;
    this.release();
    const { resumeMs } = this.limits;
    if (this.ended || resumeMs === undefined) return;
    if (this.sequence === 0) this.lose();
    else {
      this.patience = setTimeout(() => this.lose(), resumeMs);
      this.patience.unref();
    }
  }

  /** Cuts the connection, for a client to come back that reads too slowly. */
  cut(): void {
    this.release()?.destroy();
  }

  /** Nobody comes back to it. */
  lose(): void {
    if (this.isOver) return;
    this.lostBecause = 'The client closed the connection.';
    this.kept.length = 0;
    for (const listener of this.losers.splice(0)) listener(this.lostBecause);
  }

  /** Whether as much waits for the client as may. */
  private get isCongested(): boolean {
    return this.port !== undefined && this.port.bufferedBytes > this.limits.maxBufferedBytes;
  }

  private write(data: string): void {
    this.sequence += 1;
    const id = this.id === '' ? '' : `id: ${this.id}-${this.sequence}\n`;
    const text = `${id}data: ${data}\n\n`;
    if (id !== '') this.keep(text);
    this.port?.write(text);
  }

  private keep(text: string): void {
    this.kept.push({ sequence: this.sequence, text });
    this.keptBytes += Buffer.byteLength(text);
    while (this.keptBytes > this.limits.maxBufferedBytes && this.kept.length > 1) {
      this.keptBytes -= Buffer.byteLength(this.kept.shift()?.text ?? '');
    }
  }

  private finishPort(): void {
    this.release()?.end();
  }

  private release(): HttpResponsePort | undefined {
    const { port } = this;
    clearInterval(this.keepAlive);
    this.port = undefined;
    return port;
  }
}
