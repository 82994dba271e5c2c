import { Injectable, Logger } from '@nestjs/common';
import { InvalidRequestException } from '../../exceptions/index.js';
import { ResolvedOptions } from '../../options/index.js';
import type { McpHeaders, McpOrigin } from '../../exchange/index.js';
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../../protocol/index.js';
import { McpDispatcher, type McpReply } from '../../server/index.js';
import { type EarlierHttpClients, isOfEarlierRevision } from '../earlier-clients.js';
import { classify, parseMessage } from '../message.js';
import { refusal, refusedId } from '../refusal.js';
import { ExchangeStream } from './exchange-stream.js';
import { checkHeaders } from './header-rules.js';
import type { HttpRequestView, HttpResponsePort } from './http-port.js';
import { bodyTooLarge, HttpRules } from './http-rules.js';

/**
 * The MCP endpoint over HTTP, for any adapter: `admit` before the body is read, then `answer`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http
 */
@Injectable()
export class HttpEndpoint {
  private readonly logger = new Logger('McpHttp');
  private rules: HttpRules;
  private earlier: EarlierHttpClients | undefined;

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedOptions,
  ) {
    this.rules = new HttpRules(options.http);
  }

  /** Serves clients of earlier revisions too. */
  serveEarlier(clients: EarlierHttpClients): void {
    this.earlier = clients;
    this.rules = new HttpRules(this.options.http, clients.methods);
  }

  get maxBodyBytes(): number {
    return this.options.http.maxBodyBytes;
  }

  /** Checks everything but the body. Answers and returns `false` when the request is refused. */
  admit(view: HttpRequestView, port: HttpResponsePort): boolean {
    try {
      this.rules.check(view);
      return true;
    } catch (error) {
      this.refuse(error, port);
      return false;
    }
  }

  /** Answers a body of text. */
  answer(body: string, view: HttpRequestView, port: HttpResponsePort): Promise<void> {
    return this.process(() => parseMessage(body), view, port);
  }

  /** Answers a body that the application's own parser has read already. */
  answerParsed(value: unknown, view: HttpRequestView, port: HttpResponsePort): Promise<void> {
    return this.process(() => value, view, port);
  }

  /** Answers a body that was larger than it may be. */
  refuseBody(port: HttpResponsePort): void {
    this.refuse(bodyTooLarge(this.maxBodyBytes), port);
  }

  /** Answers with an error. @param requestId given for a request; a message that was none may carry one */
  refuse(error: unknown, port: HttpResponsePort, requestId?: RequestId): void {
    const id = requestId ?? refusedId(error);
    const { httpStatus, httpHeaders, body } = refusal(error, id, this.logger);
    port.json(httpStatus, body, httpHeaders);
  }

  private async process(
    read: () => unknown,
    view: HttpRequestView,
    port: HttpResponsePort,
  ): Promise<void> {
    try {
      const { earlier } = this;
      if (earlier !== undefined && view.method !== 'POST') {
        await earlier.other(view, port);
        return;
      }
      const value = read();
      if (earlier !== undefined && isOfEarlierRevision(value, view.headers)) {
        await earlier.post(value, view, port);
        return;
      }
      const message = classify(value);
      switch (message.type) {
        case 'notification':
          port.empty(202);
          break;
        case 'response':
          throw new InvalidRequestException(
            'Clients send no responses. Answer questions with params.inputResponses of a retry.',
          );
        case 'request': {
          const stream = this.admitted(message.request, view, port);
          if (stream !== undefined) stream.finish(await this.reply(message.request, view, stream));
        }
      }
    } catch (error) {
      this.refuse(error, port);
    }
  }

  /** Where the request is answered; `undefined` where its headers do not fit, and it has been. */
  private admitted(
    request: JsonRpcRequest,
    { headers }: HttpRequestView,
    port: HttpResponsePort,
  ): ExchangeStream | undefined {
    try {
      checkHeaders(headers, request, this.dispatcher.namedBy(request.method));
    } catch (error) {
      this.refuse(error, port, request.id);
      return undefined;
    }
    const { keepAliveMs, maxBufferedBytes } = this.options.http;
    return new ExchangeStream(port, keepAliveMs, maxBufferedBytes);
  }

  private reply(
    request: JsonRpcRequest,
    { headers, request: adapterRequest }: HttpRequestView,
    stream: ExchangeStream,
  ): Promise<McpReply> {
    return this.dispatcher.handle(request, new HttpOrigin(stream, headers, adapterRequest));
  }
}

/** Where a request over HTTP came from. */
class HttpOrigin implements McpOrigin {
  readonly transport = 'http';

  constructor(
    private readonly stream: ExchangeStream,
    readonly headers: McpHeaders,
    readonly request: unknown,
  ) {}

  get cancelled(): boolean {
    return this.stream.cancelled;
  }

  onCancel(listener: (reason: unknown) => void): void {
    this.stream.onCancel(listener);
  }

  notify(notification: JsonRpcNotification): boolean {
    return this.stream.notify(notification);
  }

  drop(): void {
    this.stream.drop();
  }
}
