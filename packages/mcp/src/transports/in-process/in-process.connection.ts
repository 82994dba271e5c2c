import { Logger } from '@nestjs/common';
import { InvalidRequestException } from '../../exceptions/index.js';
import type {
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  RequestId,
} from '../../protocol/index.js';
import type { RequestState, RequestStateCodec } from '../../replay/index.js';
import type { McpDispatcher } from '../../server/index.js';
import { refuseEarlierRevision } from '../earlier-revision.js';
import { readMessage } from '../message.js';
import { refusal } from '../refusal.js';
import { InProcessExchange, type InProcessOrigin } from './in-process.exchange.js';

/** How one request is sent from within the process. */
export interface McpInProcessSendOptions {
  /** Takes the request back when it aborts. */
  readonly signal?: AbortSignal;
  /** Hears what the server says before its answer: progress, log messages, changes. */
  readonly onNotification?: (notification: JsonRpcNotification) => void;
}

/** A client of a server in the same process. */
export interface McpInProcessConnection {
  /**
   * Sends one request, with the envelope in `params._meta` that the protocol demands. Resolves with the
   * answer, which may be an error; both have gone through JSON.
   * @throws DOMException `AbortError`, when the request was taken back or the server has dropped it
   * @throws TypeError when the request is not JSON
   * @throws Error when the application is not initialised
   */
  send(request: JsonRpcRequest, options?: McpInProcessSendOptions): Promise<JsonRpcResponse>;
  /**
   * What a `requestState` of this server holds, for tests that look at the ledger.
   * @throws RequestStateRejectedException
   */
  openState(requestState: string): RequestState;
  /** Seals what was opened, for tests that go on from a ledger of an earlier release. */
  sealState(state: RequestState): string;
}

/** What a connection needs of its server. */
export interface InProcessServer {
  readonly dispatcher: McpDispatcher;
  readonly codec: RequestStateCodec;
  /** Whether its handlers are there. */
  readonly isReady: () => boolean;
}

/** @see McpInProcessConnection */
export class InProcessConnection implements McpInProcessConnection {
  private readonly logger = new Logger('McpInProcess');

  constructor(
    private readonly server: InProcessServer,
    private readonly origin: InProcessOrigin,
  ) {}

  async send(
    request: JsonRpcRequest,
    { signal, onNotification = () => undefined }: McpInProcessSendOptions = {},
  ): Promise<JsonRpcResponse> {
    if (!this.server.isReady()) {
      throw new Error(
        'The application is not initialised, and the server has no handlers yet. ' +
          'Await app.init() before the first request.',
      );
    }
    // What is sent is what it was when it was sent.
    const text = JSON.stringify(request);
    const exchange = new InProcessExchange(this.origin, onNotification);
    const abort = (): void => exchange.cancel('The client cancelled the request.');
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = exchange.cancelled ? exchange.given : this.answer(text, request.id, exchange);
      const body = await Promise.race([exchange.given, answer]);
      exchange.finish();
      return JSON.parse(body) as JsonRpcResponse;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  openState(requestState: string): RequestState {
    return this.server.codec.open(requestState);
  }

  sealState(state: RequestState): string {
    return this.server.codec.seal(state);
  }

  private async answer(text: string, id: RequestId, exchange: InProcessExchange): Promise<string> {
    try {
      const request = requestOf(text);
      refuseEarlierRevision(request);
      const { body } = await this.server.dispatcher.handle(request, exchange);
      return body;
    } catch (error) {
      return refusal(error, id, this.logger).body;
    }
  }
}

function requestOf(text: string): JsonRpcRequest {
  const message = readMessage(text);
  if (message.type === 'request') return message.request;
  throw new InvalidRequestException('Only requests are answered: the message has no id.');
}
