import { Logger } from '@nestjs/common';
import { MethodNotFoundException } from '../../exceptions/index.js';
import type { ResolvedOptions } from '../../options/index.js';
import { type JsonRpcRequest, LegacyMethod } from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { EarlierHttpClients } from '../earlier-clients.js';
import type { HttpRequestView, HttpResponsePort } from '../http/http-port.js';
import { HttpAnswers } from './http-answers.js';
import { initialize } from './initialize.js';
import { LegacyAnswers } from './legacy-answer.js';
import { type LegacyClient, readClient } from './legacy-client.js';
import type { LegacyLine } from './legacy-line.js';
import { readMessages } from './legacy-messages.js';
import { legacyResult } from './legacy-result.js';
import { revisionOf } from './legacy-version.js';
import { LegacyExchange } from './legacy.exchange.js';
import { liveCall } from './live-call.js';
import { modernRequest } from './modern-request.js';
import { PASSED_ON } from './passed-on.js';
import { ResumableStream } from './resumable.stream.js';

/**
 * Serves clients of earlier revisions without keeping anything of them: any instance answers any request.
 * They cannot be asked, nor told what they have not asked for.
 */
export class StatelessClients implements EarlierHttpClients {
  readonly methods = ['POST'];
  private readonly answers = new LegacyAnswers(new Logger('McpLegacy'), false);

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedOptions,
  ) {}

  async post(value: unknown, view: HttpRequestView, port: HttpResponsePort): Promise<void> {
    try {
      const revision = revisionOf(view.headers);
      const { requests, isBatch } = readMessages(value, revision);
      if (requests.length === 0) {
        port.empty(202);
        return;
      }
      const { keepAliveMs, maxBufferedBytes } = this.options.http;
      const limits = { keepAliveMs, maxBufferedBytes, resumeMs: 0 };
      const stream = new ResumableStream('', limits);
      const line = new HttpAnswers(view, port, stream, false, {
        requests: requests.length,
        isBatch,
      });
      // Nobody has said who the client is, nor what it can do.
      const client = { revision, info: undefined, capabilities: {} };
      await this.answers.each(requests, line, (request) => this.serve(request, line, client));
    } catch (error) {
      this.answers.refuse(error, port);
    }
  }

  other(): Promise<void> {
    // HTTP methods other than POST are refused before.
    return Promise.resolve();
  }

  close(): void {
    // Nothing is kept.
  }

  private async serve(
    request: JsonRpcRequest,
    line: LegacyLine,
    client: LegacyClient,
  ): Promise<object> {
    const { method, params = {} } = request;
    const exchange = new LegacyExchange(line);
    try {
      switch (method) {
        case LegacyMethod.Ping:
          return {};
        case LegacyMethod.Initialize: {
          const { dispatcher, options } = this;
          return await initialize(dispatcher, options, readClient(params), exchange, false);
        }
        default: {
          if (!PASSED_ON.has(method)) throw new MethodNotFoundException(method);
          const modern = modernRequest(request, { client, logLevel: undefined });
          const result = await liveCall(this.dispatcher, modern, exchange, undefined);
          return legacyResult(method, result, client.revision);
        }
      }
    } finally {
      exchange.finish();
    }
  }
}
