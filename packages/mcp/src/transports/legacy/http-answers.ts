import type { McpHeaders } from '../../exchange/index.js';
import type { JsonRpcNotification, JsonRpcRequest } from '../../protocol/index.js';
import type { McpReply } from '../../server/index.js';
import type { HttpRequestView, HttpResponsePort } from '../http/http-port.js';
import type { LegacyLine } from './legacy-line.js';
import type { ResumableStream } from './resumable.stream.js';

/** What one POST has asked. */
export interface Asked {
  /** How many requests were in it. */
  readonly requests: number;
  /** Whether they came as a list, and are answered as one. */
  readonly isBatch: boolean;
}

/**
 * The answers to what came with one POST: plain JSON, or an event stream when something is sent before
 * they are all there. A stream can be gone on with; plain JSON that is lost is lost, and its calls with
 * it.
 */
export class HttpAnswers implements LegacyLine {
  readonly transport = 'http';
  readonly headers: McpHeaders;
  readonly request: unknown;
  private isStreaming = false;
  private readonly held: McpReply[] = [];
  private left: number;

  constructor(
    { headers, request }: HttpRequestView,
    private readonly port: HttpResponsePort,
    private readonly stream: ResumableStream,
    private readonly primes: boolean,
    private readonly asked: Asked,
  ) {
    this.headers = headers;
    this.request = request;
    this.left = asked.requests;
    port.onAbort(() => {
      if (this.isStreaming) stream.detach(port);
      else stream.lose();
    });
  }

  send(message: JsonRpcRequest | JsonRpcNotification): boolean {
    if (this.left === 0) return false;
    if (!this.isStreaming) this.open();
    return this.stream.send(message);
  }

  onLost(listener: (reason: string) => void): void {
    this.stream.onLost(listener);
  }

  finish(answer: McpReply): void {
    this.left -= 1;
    if (this.isStreaming) this.stream.answer(answer.body);
    else this.held.push(answer);
    if (this.left > 0) return;
    if (!this.isStreaming) this.write();
    this.stream.end();
  }

  private open(): void {
    this.isStreaming = true;
    this.port.openStream();
    this.stream.attach(this.port, this.primes);
    for (const { body } of this.held.splice(0)) this.stream.answer(body);
  }

  private write(): void {
    const [first] = this.held;
    if (this.asked.isBatch || first === undefined) {
      this.port.json(200, `[${this.held.map(({ body }) => body).join()}]`);
    } else this.port.json(first.httpStatus, first.body, first.httpHeaders);
  }
}
