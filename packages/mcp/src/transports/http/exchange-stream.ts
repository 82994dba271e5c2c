import type { JsonRpcNotification } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import type { HttpResponsePort } from './http-port.js';

/**
 * The answer to one request: plain JSON, or an event stream when something is sent before it.
 *
 * 1. The stream opens with the first notification; until then the answer keeps its HTTP status.
 * 2. Nothing is written after the answer, nor after the client has gone.
 * 3. An open stream says something every `keepAliveMs`, so that no proxy closes it.
 */
export class ExchangeStream {
  private state: 'fresh' | 'streaming' | 'done' = 'fresh';
  private keepAlive?: NodeJS.Timeout;
  private goneReason?: DOMException;
  private readonly cancelListeners: ((reason: unknown) => void)[] = [];

  constructor(
    private readonly port: HttpResponsePort,
    private readonly keepAliveMs: number,
  ) {
    port.onAbort(() => this.abort());
  }

  /** True once the client has gone before the answer. */
  get cancelled(): boolean {
    return this.goneReason !== undefined;
  }

  onCancel(listener: (reason: unknown) => void): void {
    if (this.goneReason === undefined) this.cancelListeners.push(listener);
    else listener(this.goneReason);
  }

  notify(notification: JsonRpcNotification): void {
    if (this.state === 'done') return;
    if (this.state === 'fresh') this.open();
    this.port.write(toEvent(JSON.stringify(notification)));
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
      this.keepAlive = setInterval(() => this.port.write(': keep-alive\n\n'), this.keepAliveMs);
      this.keepAlive.unref();
    }
  }

  private abort(): void {
    if (this.state === 'done') return;
    this.close();
    this.goneReason = clientGone();
    for (const listener of this.cancelListeners) listener(this.goneReason);
  }

  private close(): void {
    this.state = 'done';
    clearInterval(this.keepAlive);
  }
}

/** As `fetch` and the like have it, so that it can be told from other errors. */
function clientGone(): DOMException {
  return new DOMException('The client closed the connection.', 'AbortError');
}

/** JSON has no raw line breaks, so one `data:` line carries a whole message. */
function toEvent(message: string): string {
  return `data: ${message}\n\n`;
}
