import type { JsonRpcNotification } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import { Cancellation } from '../cancellation.js';
import type { HttpResponsePort } from './http-port.js';

/**
 * The answer to one request: plain JSON, or an event stream when something is sent before it.
 *
 * 1. The stream opens with the first notification; until then the answer keeps its HTTP status.
 * 2. Nothing is written after the answer, nor after the client has gone.
 * 3. An open stream says something every `keepAliveMs`, so that no proxy closes it.
 * 4. No more than `maxBufferedBytes` wait for a client that reads slowly, the answer excepted:
 *    notifications beyond that are left out, and keep-alives with them.
 */
export class ExchangeStream {
  private state: 'fresh' | 'streaming' | 'done' = 'fresh';
  private keepAlive?: NodeJS.Timeout;
  private readonly cancellation = new Cancellation();

  constructor(
    private readonly port: HttpResponsePort,
    private readonly keepAliveMs: number,
    private readonly maxBufferedBytes: number = Number.POSITIVE_INFINITY,
  ) {
    port.onAbort(() => this.abort());
  }

  /** True once the client has gone before the answer. */
  get cancelled(): boolean {
    return this.cancellation.cancelled;
  }

  onCancel(listener: (reason: unknown) => void): void {
    this.cancellation.onCancel(listener);
  }

  /** `false` when the notification was left out. */
  notify(notification: JsonRpcNotification): boolean {
    if (this.state === 'done') return false;
    if (this.state === 'fresh') this.open();
    return this.write(toEvent(JSON.stringify(notification)));
  }

  /** Ends without an answer, as if the connection were lost. */
  drop(): void {
    if (this.state === 'done') return;
    this.abort();
    this.port.destroy();
  }

  finish({ httpStatus, httpHeaders, body }: McpReply): void {
    const { state } = this;
    this.close();
    switch (state) {
      case 'fresh':
        this.port.json(httpStatus, body, httpHeaders);
        break;
      case 'streaming':
        this.port.write(toEvent(body));
        this.port.end();
        break;
      case 'done':
        break;
    }
  }

  private open(): void {
    this.state = 'streaming';
    this.port.openStream();
    if (this.keepAliveMs > 0) {
      this.keepAlive = setInterval(() => this.write(': keep-alive\n\n'), this.keepAliveMs);
      this.keepAlive.unref();
    }
  }

  private write(chunk: string): boolean {
    if (this.port.bufferedBytes > this.maxBufferedBytes) return false;
    this.port.write(chunk);
    return true;
  }

  private abort(): void {
    if (this.state === 'done') return;
    this.close();
    this.cancellation.cancel('The client closed the connection.');
  }

  private close(): void {
    this.state = 'done';
    clearInterval(this.keepAlive);
  }
}

/** JSON has no raw line breaks, so one `data:` line carries a whole message. */
function toEvent(message: string): string {
  return `data: ${message}\n\n`;
}
