import { randomUUID } from 'node:crypto';
import { ClientRefusalException } from '../../exceptions/index.js';
import { MAX_TIMER_MS } from '../../mcp.constants.js';
import {
  type InputRequests,
  isJsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LegacyRevision,
  McpNotificationMethod,
} from '../../protocol/index.js';
import { deferred } from './deferred.js';
import { liveQuestion } from './live-question.js';

/** What a client sends in answer to a request. */
export interface ClientResponse {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Sends a message on the stream of a call; `false` when it was left out. */
export type Send = (message: JsonRpcRequest | JsonRpcNotification) => boolean;

export interface LiveAskLimits {
  /** How many questions of a session may wait for an answer. */
  readonly maxAsks: number;
  /** How long each may wait. */
  readonly ttlMs: number;
}

const CALL_ENDED = 'the call has ended.';

interface Waiting {
  readonly answer: (response: ClientResponse) => void;
  readonly fail: () => void;
}

/**
 * The questions of a session that are with its client: the server's requests, and their answers.
 *
 * 1. Every question gets an id that no other of the session has or had.
 * 2. Each ends once: by its answer, an error, the end of its time, or of its call. The client is told
 *    of those that end without it.
 * 3. No more than `maxAsks` wait at once; what goes beyond fails its call, and nothing of it is sent.
 * 4. What answers no question that waits is ignored: it may have come too late.
 */
export class LiveAsks {
  private readonly waiting = new Map<string, Waiting>();
  /** Other instances may ask in the same session. */
  private readonly asker = randomUUID().slice(0, 8);
  private asked = 0;
  private closed = false;

  constructor(
    private readonly revision: LegacyRevision,
    private readonly limits: LiveAskLimits,
  ) {}

  /**
   * Asks everything at once, and resolves with all answers by key.
   * @param onCancel calls back when the call ends without its answer
   * @throws ClientRefusalException for the first that has none
   */
  async ask(
    requests: InputRequests,
    send: Send,
    onCancel: (listener: (reason: unknown) => void) => void,
  ): Promise<Record<string, unknown>> {
    const questions = Object.entries(requests).map(
      ([key, request]) => [key, liveQuestion(key, request, this.revision)] as const,
    );
    const first = questions[0]?.[0] ?? '';
    const { maxAsks } = this.limits;
    if (this.waiting.size + questions.length > maxAsks) {
      throw new ClientRefusalException(
        first,
        `${maxAsks} questions of this session wait already, as many as may (sessions.maxAsks).`,
      );
    }
    const ended = new AbortController();
    onCancel((reason) => ended.abort(reason));
    try {
      const answers = await Promise.all(
        questions.map(async ([key, question]) => {
          const id = this.nextId();
          const response = await this.send(id, key, question, send, ended.signal);
          return [key, answerOf(key, response)] as const;
        }),
      );
      return Object.fromEntries(answers);
    } finally {
      // Of those asked together, the others need no answer when one has failed.
      ended.abort();
    }
  }

  /** Hears what the client has sent in answer to a request. */
  hear(response: ClientResponse): void {
    const { id } = response;
    if (typeof id === 'string') this.end(id)?.answer(response);
  }

  /** Nobody answers any more: what waits has no answer, nor has what is asked later. */
  close(): void {
    this.closed = true;
    for (const id of [...this.waiting.keys()]) this.end(id)?.fail();
  }

  /** What ends a question; `undefined` when it has ended already. */
  private end(id: string): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private nextId(): string {
    this.asked += 1;
    // Not a number: those of the client's own requests usually are, and logs hold both.
    return `ask-${this.asker}-${this.asked}`;
  }

  private async send(
    id: string,
    key: string,
    question: Pick<JsonRpcRequest, 'method'> & { readonly params?: object },
    send: Send,
    ended: AbortSignal,
  ): Promise<ClientResponse> {
    const { ttlMs } = this.limits;
    const { promise, resolve, reject } = deferred<ClientResponse>();
    const refuse = (reason: string): void => {
      this.end(id);
      reject(new ClientRefusalException(key, reason));
    };
    const giveUp = (reason: string): void => {
      if (this.end(id) === undefined) return;
      send({
        jsonrpc: '2.0',
        method: McpNotificationMethod.Cancelled,
        params: { requestId: id, reason },
      });
      refuse(reason);
    };
    const late = setTimeout(
      () => giveUp(`it was not answered within ${ttlMs} ms.`),
      Math.min(ttlMs, MAX_TIMER_MS),
    );
    const cancel = (): void => giveUp(CALL_ENDED);
    const fail = (): void => refuse('the session has ended.');
    this.waiting.set(id, { answer: resolve, fail });
    try {
      if (this.closed) fail();
      else if (ended.aborted) refuse(CALL_ENDED);
      else {
        ended.addEventListener('abort', cancel, { once: true });
        const sent = send({ jsonrpc: '2.0', id, ...question } as JsonRpcRequest);
        if (!sent) refuse('the client reads too slowly.');
      }
      return await promise;
    } finally {
      clearTimeout(late);
      ended.removeEventListener('abort', cancel);
      this.waiting.delete(id);
    }
  }
}

function answerOf(key: string, { result, error }: ClientResponse): unknown {
  if (error === undefined) return result;
  const { code } = isJsonObject(error) ? error : {};
  // No client has its own words, of whatever length, in messages of the server.
  const named = typeof code === 'number' ? `the error ${code}` : 'an error without a code';
  throw new ClientRefusalException(key, `the client answered with ${named}.`);
}
