import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { InvalidRequestException } from '../../exceptions/index.js';
import { type McpSessionRecord, type McpSessionStore, readHeader } from '../../exchange/index.js';
import type { ResolvedOptions } from '../../options/index.js';
import {
  isJsonObject,
  type JsonRpcRequest,
  LEGACY_REVISIONS,
  LegacyMethod,
} from '../../protocol/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { EarlierHttpClients } from '../earlier-clients.js';
import type { HttpRequestView, HttpResponsePort } from '../http/http-port.js';
import { classify } from '../message.js';
import { HttpAnswers } from './http-answers.js';
import { HttpSession } from './http-session.js';
import { HttpSessions } from './http-sessions.js';
import { initialize } from './initialize.js';
import { LegacyAnswers } from './legacy-answer.js';
import { type LegacyClient, readClient } from './legacy-client.js';
import { type LegacyLine, standingLine } from './legacy-line.js';
import { type LegacyMessages, readMessages } from './legacy-messages.js';
import { revisionOf } from './legacy-version.js';
import { LegacyExchange } from './legacy.exchange.js';
import { modernRequest } from './modern-request.js';

const SESSION_ID = 'Mcp-Session-Id';
/** Who asks is to be known before what it can do is. */
const ANYBODY: LegacyClient = {
  revision: LEGACY_REVISIONS[0],
  info: undefined,
  capabilities: {},
};

/**
 * Serves clients of earlier revisions over HTTP, in sessions.
 *
 * 1. Who calls is asked anew for every message, and a session is found by nobody but whose it is.
 * 2. Every POST gets one answer: that of its requests, or 202 where it had none.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export class SessionClients implements EarlierHttpClients {
  readonly methods = ['GET', 'POST', 'DELETE'];
  private readonly answers = new LegacyAnswers(new Logger('McpLegacy'), true);
  private readonly sessions: HttpSessions;

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedOptions,
    private readonly now: () => number,
    store?: McpSessionStore,
  ) {
    this.sessions = new HttpSessions(options.sessions, now, store);
  }

  async post(value: unknown, view: HttpRequestView, port: HttpResponsePort): Promise<void> {
    try {
      if (readHeader(view.headers, SESSION_ID) === undefined) {
        await this.begin(value, view, port);
        return;
      }
      const found = await this.find(view);
      const messages = readMessages(value, found.session.client.revision);
      await this.take(messages, found, view, port);
    } catch (error) {
      this.answers.refuse(error, port);
    }
  }

  async other(view: HttpRequestView, port: HttpResponsePort): Promise<void> {
    try {
      const found = await this.find(view);
      if (view.method === 'DELETE') {
        await this.sessions.end(found);
        port.empty(204);
        return;
      }
      const lastEventId = readHeader(view.headers, 'Last-Event-ID');
      if (lastEventId !== undefined) found.resume(lastEventId, port);
      else {
        await found.session.listen(lineOf(view));
        found.stand(port);
      }
    } catch (error) {
      this.answers.refuse(error, port);
    }
  }

  close(): void {
    this.sessions.closeAll();
  }

  private async begin(
    value: unknown,
    view: HttpRequestView,
    port: HttpResponsePort,
  ): Promise<void> {
    const { id, params = {} } = initializeOf(value);
    let session: HttpSession | undefined;
    try {
      const client = readClient(params);
      const { principal, exchange } = await this.identify(view, client);
      session = this.session(randomUUID(), principal, client);
      // Before anything is waited for, so that those that come at once are counted.
      this.sessions.add(session);
      const result = await initialize(this.dispatcher, this.options, client, exchange, true);
      await this.sessions.keep(session);
      const body = JSON.stringify({ jsonrpc: '2.0', id, result });
      port.json(200, body, { [SESSION_ID]: session.session.id });
    } catch (error) {
      if (session !== undefined) this.sessions.close(session);
      this.answers.refuse(error, port, id);
    }
  }

  private async take(
    { isBatch, requests, notifications, responses }: LegacyMessages,
    found: HttpSession,
    view: HttpRequestView,
    port: HttpResponsePort,
  ): Promise<void> {
    const { session } = found;
    for (const response of responses) session.answer(response);
    for (const notification of notifications) {
      if (notification.method === LegacyMethod.Initialized) found.isReady = true;
      session.hear(notification);
    }
    if (requests.length === 0) {
      await this.sessions.keep(found);
      port.empty(202);
      return;
    }
    const stream = found.stream();
    const line = new HttpAnswers(view, port, stream, found.primes, {
      requests: requests.length,
      isBatch,
    });
    await this.answers.each(requests, line, async (request) => {
      const result = await session.serve(request, line);
      // Another instance may be sent what follows the answer.
      await this.sessions.keep(found);
      return result;
    });
    found.retire(stream);
    found.lastSeenMs = this.now();
  }

  /** The session that a request belongs to. */
  private async find(view: HttpRequestView): Promise<HttpSession> {
    revisionOf(view.headers);
    const id = readHeader(view.headers, SESSION_ID);
    if (id === undefined) throw sessionless();
    const { principal } = await this.identify(view, ANYBODY);
    return this.sessions.find(id, principal, (record) => this.revive(id, record, lineOf(view)));
  }

  /** A session that another instance, or an earlier process, has begun. */
  private async revive(
    id: string,
    { principal, watched, isReady, revision, info, capabilities }: McpSessionRecord,
    line: LegacyLine,
  ): Promise<HttpSession> {
    const session = this.session(id, principal, { revision, info, capabilities });
    session.isReady = isReady;
    try {
      for (const uri of watched) await session.session.watch(uri, line);
      return session;
    } catch (error) {
      session.close();
      throw error;
    }
  }

  private session(id: string, principal: string | null, client: LegacyClient): HttpSession {
    const { dispatcher, options, now } = this;
    return new HttpSession({ id, principal, client, dispatcher, options }, now);
  }

  private async identify(
    view: HttpRequestView,
    client: LegacyClient,
  ): Promise<{ readonly principal: string | null; readonly exchange: LegacyExchange }> {
    const exchange = new LegacyExchange(lineOf(view));
    const initialize = modernRequest(
      { id: LegacyMethod.Initialize, method: LegacyMethod.Initialize },
      { client, logLevel: undefined },
    );
    return { principal: await this.dispatcher.principalOf(initialize, exchange), exchange };
  }
}

/** @throws InvalidRequestException for anything else than a request to initialize */
function initializeOf(value: unknown): JsonRpcRequest {
  const message = isJsonObject(value) ? classify(value) : undefined;
  if (message?.type === 'request' && message.request.method === LegacyMethod.Initialize) {
    return message.request;
  }
  throw sessionless();
}

function sessionless(): InvalidRequestException {
  return new InvalidRequestException(
    `${SESSION_ID} is missing. Send initialize first, and the id of its answer with every later request; or speak 2026-07-28, which needs neither.`,
  );
}

/** Of what is not answered with anything of the server's own. */
function lineOf({ headers, request }: HttpRequestView): LegacyLine {
  return standingLine({ transport: 'http', headers, request });
}
