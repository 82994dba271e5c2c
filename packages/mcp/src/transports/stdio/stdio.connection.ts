import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import {
  DuplicateRequestIdException,
  InvalidRequestException,
  ParseErrorException,
  TooManyInFlightException,
} from '../../exceptions/index.js';
import type { ResolvedStdioOptions } from '../../options/index.js';
import {
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  McpNotificationMethod,
  type RequestId,
} from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import {
  type EarlierConnection,
  isOfEarlierRevision,
  type MakeEarlierConnection,
} from '../earlier-clients.js';
import { refuseEarlierRevision } from '../earlier-revision.js';
import type { ClientResponse } from '../legacy/live-asks.js';
import { classify, parseMessage } from '../message.js';
import { refusal, refusedId } from '../refusal.js';
import { type Line, LineReader } from './line-reader.js';
import type { LineWriter } from './line-writer.js';
import { ReadAhead } from './read-ahead.js';
import { settledWithin } from './settled-within.js';
import { StdioExchange, type StdioPort } from './stdio.exchange.js';

const BLANK = /^[ \t\r]*$/;
/** What of a client's reason is passed on. */
const MAX_REASON_LENGTH = 200;

/** One client on the other end of two streams. */
export interface McpStdioConnection {
  /** Resolves when the connection has ended, from either side, and nothing more is read or written. */
  readonly closed: Promise<void>;
  /** Reads nothing more, lets calls in flight end within `stdio.graceMs`, and writes what is left. */
  close(): Promise<void>;
}

/**
 * Serves one client, a message a line.
 *
 * 1. Every request gets one answer, or none if it was cancelled; nothing is sent for it after that.
 * 2. No two requests in flight share an id, and no refusal bears the id of a request in flight.
 * 3. What is held is bounded: the line being read, the number of calls, and, answers excepted, what the
 *    client has not read. While too much waits for it nothing more is worked on, and no more is read than
 *    a line may have: so its end, which comes behind what it has written, is seen even then.
 * 4. When the client has closed its side, calls in flight go on for `graceMs`; subscriptions end with
 *    the application, with their final response.
 * 5. A client that has closed its side and reads on is answered all it has asked; one that takes nothing
 *    for `graceMs` has gone, and what was read ahead goes with it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export class StdioConnection implements McpStdioConnection, StdioPort {
  private readonly logger = new Logger('McpStdio');
  private readonly reader: LineReader;
  private readonly ahead: ReadAhead;
  private readonly inFlight = new Map<RequestId, StdioExchange>();
  /** Calls at work, cancelled ones too until they have settled. */
  private readonly calls = new Set<Promise<void>>();
  private readonly earlier: EarlierConnection | undefined;
  private reading = true;
  /** Too much waits for the client. */
  private congested = false;
  /** The client has closed its side. */
  private inputEnded = false;
  private patience?: NodeJS.Timeout;
  private draining?: Promise<void>;
  private closing?: Promise<void>;

  private end!: () => void;
  /** Resolves when the client has closed its side, or reads no more. */
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));
  private finish!: () => void;
  readonly closed = new Promise<void>((resolve) => (this.finish = resolve));
  private skipGrace!: () => void;
  private readonly hurried = new Promise<void>((resolve) => (this.skipGrace = resolve));

  constructor(
    private readonly input: Readable,
    private readonly output: LineWriter,
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedStdioOptions,
    makeEarlier?: MakeEarlierConnection,
  ) {
    this.earlier = makeEarlier?.((message) => this.offer(JSON.stringify(message)));
    this.reader = new LineReader(options.maxLineBytes, (line) => this.receive(line));
    this.ahead = new ReadAhead(options.maxLineBytes);
    output.onDrain(() => this.readOn());
    void output.left.then(() => this.lose());
    // A broken pipe ends the connection as its end would.
    input
      .on('data', this.read)
      .once('end', this.endInput)
      .on('error', this.endInput)
      .once('close', this.endInput);
  }

  send(line: string): void {
    const { maxBufferedBytes } = this.options;
    if (!this.output.write(line) && this.output.bufferedBytes > maxBufferedBytes) {
      this.congested = true;
    }
  }

  offer(line: string): boolean {
    if (this.output.bufferedBytes > this.options.maxBufferedBytes) return false;
    this.send(line);
    return true;
  }

  forget(id: RequestId): void {
    this.inFlight.delete(id);
  }

  /** Reads nothing more; resolves when the calls in flight have settled, or their time is up. */
  drain(): Promise<void> {
    return (this.draining ??= this.drainCalls());
  }

  /** Ends the time of the calls in flight now. */
  hurry(): void {
    this.skipGrace();
  }

  close(): Promise<void> {
    return (this.closing ??= this.shut());
  }

  private readonly read = (chunk: Buffer): void => {
    if (!this.congested) this.reader.push(chunk);
    else {
      this.ahead.push(chunk);
      if (this.ahead.isFull) this.input.pause();
    }
  };

  /** The client has taken everything. */
  private readOn(): void {
    this.congested = false;
    this.workOff();
    if (!this.reading) return;
    if (!this.inputEnded) {
      if (!this.ahead.isFull) this.input.resume();
    } else if (this.works) this.finishReading();
  }

  /** Works on what was read ahead, until too much waits again. */
  private workOff(): void {
    while (this.works) {
      const chunk = this.ahead.shift();
      if (chunk === undefined) break;
      this.reader.push(chunk);
    }
  }

  private get works(): boolean {
    return this.reading && !this.congested;
  }

  private readonly endInput = (): void => {
    if (this.inputEnded) return;
    this.inputEnded = true;
    if (this.reading && this.congested) this.awaitReader();
    else this.finishReading();
  };

  /** Goes on waiting as long as the client takes something. */
  private awaitReader(): void {
    const { taken } = this.output;
    this.patience = setTimeout(() => {
      if (this.output.taken === taken) this.finishReading();
      else this.awaitReader();
    }, this.options.graceMs);
  }

  private finishReading(): void {
    if (this.reading && this.ahead.isEmpty) this.reader.end();
    this.stopReading();
    this.earlier?.endInput();
    this.leave();
  }

  private stopReading(): void {
    this.reading = false;
    clearTimeout(this.patience);
    this.input.off('data', this.read).pause();
  }

  private async drainCalls(): Promise<void> {
    this.stopReading();
    await settledWithin(this.options.graceMs, Promise.all(this.calls), this.hurried);
    for (const exchange of [...this.inFlight.values()]) {
      if (!exchange.isSubscription) exchange.cancel('The server is shutting down.');
    }
  }

  private async shut(): Promise<void> {
    await this.drain();
    this.earlier?.close();
    for (const exchange of [...this.inFlight.values()]) exchange.drop();
    await settledWithin(this.options.graceMs, this.output.flush());
    this.output.end();
    this.input.destroy();
    this.finish();
  }

  private lose(): void {
    this.stopReading();
    this.earlier?.close();
    for (const exchange of [...this.inFlight.values()]) {
      exchange.cancel('The client has gone away.');
    }
    this.leave();
  }

  /** What this side closes ends, too, but nobody has to be told. */
  private leave(): void {
    if (this.closing === undefined) this.end();
  }

  private receive(line: Line): void {
    // What is left of a chunk when reading has stopped.
    if (!this.reading) return;
    try {
      const text = this.textOf(line);
      if (!BLANK.test(text)) this.take(text);
    } catch (error) {
      this.refuse(error);
    }
  }

  private textOf(line: Line): string {
    if (line.type === 'too-long') {
      throw new InvalidRequestException(
        `The line is longer than ${this.options.maxLineBytes} bytes. Send less, or raise stdio.maxLineBytes.`,
      );
    }
    if (!isUtf8(line.bytes)) throw new ParseErrorException('it is not UTF-8');
    return line.bytes.toString('utf8');
  }

  private take(text: string): void {
    const value = parseMessage(text);
    // Lists were part of that revision only. Each of them is answered in a line of its own.
    if (Array.isArray(value) && this.earlier?.revision === '2025-03-26') {
      for (const one of value as unknown[]) this.takeOne(one);
    } else this.takeOne(value);
  }

  private takeOne(value: unknown): void {
    const message = classify(value);
    switch (message.type) {
      case 'request':
        this.serve(message.request);
        break;
      case 'notification':
        this.hear(message.notification);
        this.earlier?.notification(message.notification);
        break;
      case 'response':
        this.earlier?.response(value as ClientResponse);
    }
  }

  private serve(request: JsonRpcRequest): void {
    const { id } = request;
    if (this.inFlight.has(id)) throw new DuplicateRequestIdException(id);
    const exchange = new StdioExchange(request, this);
    this.inFlight.set(id, exchange);
    try {
      if (this.earlier === undefined) refuseEarlierRevision(request);
      if (exchange.isSubscription) void this.answer(request, exchange);
      else this.call(request, exchange);
    } catch (error) {
      exchange.finish(refusal(error, id, this.logger).body);
    }
  }

  private call(request: JsonRpcRequest, exchange: StdioExchange): void {
    const { maxInFlight } = this.options;
    if (this.calls.size >= maxInFlight) throw new TooManyInFlightException(maxInFlight);
    const call = this.answer(request, exchange).finally(() => this.calls.delete(call));
    this.calls.add(call);
  }

  private async answer(request: JsonRpcRequest, exchange: StdioExchange): Promise<void> {
    exchange.finish(
      this.earlier !== undefined && isOfEarlierRevision(request, exchange.headers)
        ? await this.earlier.answer(request, exchange)
        : (await this.dispatcher.handle(request, exchange)).body,
    );
  }

  /** Of what clients may say unasked, a cancellation is all that concerns a server. */
  private hear({ method, params }: JsonRpcNotification): void {
    if (method !== McpNotificationMethod.Cancelled) return;
    const requestId = params?.['requestId'];
    if (!isRequestId(requestId)) return;
    const reason = params?.['reason'];
    const why =
      typeof reason === 'string' && reason !== ''
        ? `: ${JSON.stringify(reason.slice(0, MAX_REASON_LENGTH))}`
        : '.';
    const exchange = this.inFlight.get(requestId);
    if (exchange === undefined) return;
    this.logger.debug(`The client cancelled a request${why}`);
    exchange.cancel(`The client cancelled the request${why}`);
  }

  /** @see DuplicateRequestIdException for why an id may be left out */
  private refuse(error: unknown): void {
    const id = refusedId(error);
    const free = id !== undefined && !this.inFlight.has(id) ? id : undefined;
    this.send(refusal(error, free, this.logger).body);
  }
}
