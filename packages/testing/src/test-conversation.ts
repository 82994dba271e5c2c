import type {
  InputRequiredResult,
  JsonRpcNotification,
  LedgerEntry,
  LoggingMessageNotificationParams,
  ProgressNotificationParams,
  ReplayableMethod,
  Result,
} from '@dacapo/mcp';
import { McpNotificationMethod } from '@dacapo/mcp';
import type { Answer, Answers } from './answers.js';
import { AnswerScript } from './answer-script.js';
import { type AskedQuestion, askedQuestions } from './asked-question.js';
import { CallBecameTaskException } from './exceptions/call-became-task.exception.js';
import type { TestConnection } from './test-connection.js';

/** The call that a conversation is about; the same in each of its rounds. */
export interface TestCall {
  readonly method: ReplayableMethod;
  /** `name` and `arguments`, or `uri`. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** @internal How a conversation begins. */
export interface ConversationOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of a round that was played elsewhere. */
  readonly token?: string;
}

/**
 * One call, round by round, until it has a result. What is sent and got is what travels between a server
 * and any client; a token may be answered more than once (see `fork`).
 */
export class TestConversation<R extends Result> {
  /** Every question so far, in the order of asking; one that is asked again is there again. */
  readonly asked: AskedQuestion[] = [];
  /** What the server has said besides its answers. */
  readonly notifications: JsonRpcNotification[] = [];
  private pending: readonly AskedQuestion[] = [];
  private token?: string;
  private end?: R;
  private played = 0;

  /** @internal */
  constructor(
    private readonly connection: TestConnection,
    readonly call: TestCall,
    private readonly options: ConversationOptions,
  ) {
    this.token = options.token;
  }

  /** How many rounds have been played. */
  get rounds(): number {
    return this.played;
  }

  /** What must be answered next; empty at the end. */
  get questions(): readonly AskedQuestion[] {
    return this.pending;
  }

  /** What must be answered next, by its key. @throws Error when it is not asked */
  question(key: string): AskedQuestion {
    const question = this.pending.find((candidate) => candidate.key === key);
    if (question !== undefined) return question;
    const keys = this.pending.map((candidate) => `"${candidate.key}"`).join(', ');
    throw new Error(`"${key}" is not asked now; ${keys === '' ? 'nothing is' : `${keys} is`}.`);
  }

  /** The token of the last round. @throws Error at the end, when there is none */
  get requestState(): string {
    if (this.token !== undefined) return this.token;
    throw new Error('The conversation has ended: there is no requestState.');
  }

  /** What the token holds: questions with their outcomes, and steps. */
  get ledger(): readonly LedgerEntry[] {
    return this.connection.openState(this.requestState).entries;
  }

  /** Whether the call has its result. */
  get ended(): boolean {
    return this.end !== undefined;
  }

  /** @throws Error as long as there is none */
  get result(): R {
    if (this.end !== undefined) return this.end;
    throw new Error(
      `The call has no result yet: ${this.pending.map(({ key }) => `"${key}"`).join(', ')} must be answered.`,
    );
  }

  /** What the server has told of its progress. */
  get progress(): readonly ProgressNotificationParams[] {
    return this.heard(McpNotificationMethod.Progress);
  }

  /** What the server has logged for the client. */
  get logs(): readonly LoggingMessageNotificationParams[] {
    return this.heard(McpNotificationMethod.Message);
  }

  /**
   * Plays the next round. What is left out is asked again.
   * @throws McpCallFailedException when the round is refused
   */
  answer(answers: { readonly [key: string]: Answer }): Promise<this> {
    return this.round({ inputResponses: answers, requestState: this.requestState });
  }

  /**
   * Plays rounds until the call has its result.
   * @throws UnansweredQuestionException | UnusedAnswersException | CallBecameTaskException |
   * McpCallFailedException
   */
  async answerAll(answers: Answers): Promise<this> {
    const script = new AnswerScript(answers);
    while (!this.ended) await this.answer(script.answer(this.pending));
    if (this.result.resultType === 'task') throw new CallBecameTaskException(this.result);
    script.end(this.result);
    return this;
  }

  /** The same conversation once more, from where it is: to send a round twice, or otherwise. */
  fork(): TestConversation<R> {
    const twin = new TestConversation<R>(this.connection, this.call, this.options);
    twin.asked.push(...this.asked);
    twin.notifications.push(...this.notifications);
    twin.pending = this.pending;
    twin.token = this.token;
    twin.end = this.end;
    twin.played = this.played;
    return twin;
  }

  /** @internal Plays the first round. */
  begin(): Promise<this> {
    return this.round({});
  }

  private async round(rest: object): Promise<this> {
    const { method, params } = this.call;
    const answer = await this.connection.request<R | InputRequiredResult>(
      method,
      { ...params, ...rest },
      {
        signal: this.options.signal,
        onNotification: (notification) => this.notifications.push(notification),
      },
    );
    this.played += 1;
    if (isInputRequired(answer)) {
      this.token = answer.requestState;
      this.pending = askedQuestions(answer.inputRequests, this.played);
      this.asked.push(...this.pending);
    } else {
      delete this.token;
      this.pending = [];
      this.end = answer;
    }
    return this;
  }

  private heard<P>(method: string): P[] {
    return this.notifications
      .filter((notification) => notification.method === method)
      .map(({ params }) => params as P);
  }
}

function isInputRequired(result: Result): result is InputRequiredResult {
  return result.resultType === 'input_required';
}
