import { Logger } from '@nestjs/common';
import { InvalidRequestException } from '../../exceptions/index.js';
import type { ResolvedOptions } from '../../options/index.js';
import {
  type JsonRpcNotification,
  type JsonRpcRequest,
  LegacyMethod,
  type LegacyRevision,
  PROTOCOL_VERSION,
} from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { EarlierConnection } from '../earlier-clients.js';
import { initialize } from './initialize.js';
import { LegacyAnswers } from './legacy-answer.js';
import { readClient } from './legacy-client.js';
import { type LegacyLine, standingLine } from './legacy-line.js';
import { LegacyExchange } from './legacy.exchange.js';
import { LegacySession } from './legacy.session.js';
import type { ClientResponse } from './live-asks.js';

/** What belongs to no request comes and goes with the connection. */
const CONNECTION = standingLine({ transport: 'stdio', headers: {}, request: undefined });

/** Serves a client of an earlier revision over streams: its connection is its session. */
export class StdioClient implements EarlierConnection {
  private readonly logger = new Logger('McpLegacy');
  private readonly answers = new LegacyAnswers(this.logger, true);
  private session: LegacySession | undefined;

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedOptions,
    private readonly tell: (message: JsonRpcNotification) => boolean,
  ) {}

  get revision(): LegacyRevision | undefined {
    return this.session?.client.revision;
  }

  async answer(request: JsonRpcRequest, line: LegacyLine): Promise<string> {
    const { body } = await this.answers.of(request.id, () => this.serve(request, line));
    return body;
  }

  notification({ method }: JsonRpcNotification): void {
    if (method !== LegacyMethod.Initialized) return;
    this.session?.listen(CONNECTION).catch((error: unknown) => this.logger.warn(error));
  }

  response(response: ClientResponse): void {
    this.session?.answer(response);
  }

  endInput(): void {
    this.session?.endAsking();
  }

  close(): void {
    this.session?.close();
  }

  private async serve(request: JsonRpcRequest, line: LegacyLine): Promise<object> {
    const { method, params = {} } = request;
    if (this.session !== undefined) return this.session.serve(request, line);
    switch (method) {
      case LegacyMethod.Initialize:
        return this.initialize(params, line);
      case LegacyMethod.Ping:
        return {};
      default:
        throw new InvalidRequestException(
          `Send initialize first, or the envelope of ${PROTOCOL_VERSION} in params._meta of every request.`,
        );
    }
  }

  private async initialize(params: Record<string, unknown>, line: LegacyLine): Promise<object> {
    const { dispatcher, options } = this;
    const client = readClient(params);
    this.session = new LegacySession({
      id: 'stdio',
      // Who calls is asked for each call, and nobody else can reach the connection.
      principal: null,
      client,
      dispatcher,
      options,
      outbox: this.tell,
    });
    return initialize(dispatcher, options, client, new LegacyExchange(line), true);
  }
}
