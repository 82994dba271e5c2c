import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpResponsePort } from './http-port.js';

/** `X-Accel-Buffering` keeps proxies from holding events back. */
const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Answers on Node's own response; headers that middleware has set are kept. */
export class NodeResponsePort implements HttpResponsePort {
  constructor(protected readonly response: ServerResponse) {}

  json(status: number, body: string, headers: Readonly<Record<string, string>> = {}): void {
    if (this.gone) return;
    this.response.writeHead(status, {
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    this.response.end(body);
  }

  empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    if (this.gone) return;
    this.response.writeHead(status, headers);
    this.response.end();
  }

  openStream(): void {
    if (this.gone) return;
    this.response.writeHead(200, { ...this.inheritedHeaders(), ...STREAM_HEADERS });
    this.response.flushHeaders();
  }

  write(chunk: string): void {
    if (!this.gone) this.response.write(chunk);
  }

  end(): void {
    if (!this.gone) this.response.end();
  }

  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  destroy(): void {
    this.response.destroy();
  }

  onAbort(listener: () => void): void {
    if (this.response.closed) {
      if (!this.response.writableFinished) listener();
      return;
    }
    // It closes once; `once()` would cost more than the listener.
    this.response.on('close', () => {
      if (!this.response.writableFinished) listener();
    });
  }

  /** Headers set elsewhere that Node does not know of. */
  protected inheritedHeaders(): OutgoingHttpHeaders {
    return {};
  }

  private get gone(): boolean {
    return this.response.destroyed || this.response.writableEnded;
  }
}
