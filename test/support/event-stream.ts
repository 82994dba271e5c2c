import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { ENVELOPE, type WireOptions, type WireResponse } from './wire.js';

/** A message of a stream: a notification, or the answer at its end. */
export type StreamMessage = WireResponse['body'] & {
  method?: string;
  params?: Record<string, unknown>;
};

/** An answer that is read message by message while the server still writes it. */
export class EventStream {
  /** How many keep-alive comments have come. */
  comments = 0;
  /** Of the newest event that had one. */
  lastEventId: string | undefined;
  private readonly waiting: StreamMessage[] = [];
  private readonly arrivals: (() => void)[] = [];
  private over: 'open' | 'ended' | 'lost' = 'open';

  private constructor(private readonly response: IncomingMessage) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    });
    response.on('error', () => undefined);
    response.on('close', () => {
      this.over = response.complete ? 'ended' : 'lost';
      this.wake();
    });
  }

  /** Resolves when the answer has begun. */
  static async open(
    url: string,
    method: string,
    params: Record<string, unknown>,
    { headers = {}, meta = {}, id = 1 }: WireOptions = {},
  ): Promise<EventStream> {
    const _meta = { ...ENVELOPE, ...meta };
    return EventStream.request(
      url,
      {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...headers,
      },
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
    );
  }

  /** The answer to a POST, or to a GET where there is no body. */
  static async request(
    url: string,
    headers: Record<string, string | undefined>,
    body?: string,
  ): Promise<EventStream> {
    const method = body === undefined ? 'GET' : 'POST';
    const call = request(url, { method, agent: new Agent(), headers });
    call.end(body);
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return new EventStream(response);
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  /** The next message, as soon as it is there. */
  async next(): Promise<StreamMessage> {
    for (;;) {
      const message = this.waiting.shift();
      if (message !== undefined) return message;
      if (this.over !== 'open') throw new Error(`the stream has ${this.over}`);
      await this.arrival();
    }
  }

  /** Resolves when the next keep-alive comment has come. */
  async comment(): Promise<void> {
    const before = this.comments;
    while (this.comments === before) await this.arrival();
  }

  /** How the stream ended, once it has: properly, or with a lost connection. */
  async end(): Promise<'ended' | 'lost'> {
    while (this.over === 'open') await this.arrival();
    return this.over;
  }

  /** What has come and was not read. */
  get unread(): readonly StreamMessage[] {
    return this.waiting;
  }

  /** Stops reading; what the server writes piles up. */
  pause(): void {
    this.response.pause();
  }

  /** Closes the connection, as a client does that has heard enough. */
  close(): void {
    this.response.destroy();
  }

  private take(block: string): void {
    if (block.startsWith(':')) this.comments++;
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) this.lastEventId = line.slice('id: '.length);
      const data = line.startsWith('data: ') ? line.slice('data: '.length) : '';
      if (data !== '') this.waiting.push(JSON.parse(data) as StreamMessage);
    }
    this.wake();
  }

  private arrival(): Promise<void> {
    return new Promise((resolve) => this.arrivals.push(resolve));
  }

  private wake(): void {
    for (const resolve of this.arrivals.splice(0)) resolve();
  }
}

/** Opens a subscription. */
export function listen(
  url: string,
  notifications: Record<string, unknown>,
  options: WireOptions = {},
): Promise<EventStream> {
  return EventStream.open(url, 'subscriptions/listen', { notifications }, options);
}
