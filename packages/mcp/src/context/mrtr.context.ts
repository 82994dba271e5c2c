import type { Type } from '@nestjs/common';
import type { McpClient, McpExchange } from '../exchange/index.js';
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitAction,
  Root,
} from '../protocol/index.js';
import {
  type Recorded,
  type Round,
  type StepOptions,
  type StepWork,
  unheard,
} from '../replay/index.js';
import type { FormWriter } from '../schema/index.js';
import type { ElicitAnswer } from './elicit-answer.js';
import { elicitAsk } from './elicit-ask.js';
import { elicitUrlAsk } from './elicit-url-ask.js';
import { ExchangeClientLog } from './exchange-client-log.js';
import { ExchangeProgressChannel } from './exchange-progress.channel.js';
import type { McpClientLog } from './mcp-client-log.js';
import type { AskOptions, McpElicitor, NeededAskOptions } from './mcp-elicitor.js';
import { confirmation, neededContent } from './needed-answer.js';
import type { McpProgressSource } from './mcp-progress-source.js';
import { rootsAsk } from './roots-ask.js';
import { sampleAsk, sampleFeatures } from './sample-ask.js';
import { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress/index.js';

/**
 * What a handler knows of its call, and what it can ask. One context belongs to one round; it works
 * anywhere in the awaited flow of the handler and fails clearly after the handler has settled.
 */
export abstract class MrtrContext implements McpElicitor, McpProgressSource {
  private progressChannel?: ExchangeProgressChannel;
  private clientLog?: McpClientLog;

  /** @internal */
  constructor(
    /** Tool or prompt name, or the uri that is read. */
    readonly handlerName: string,
    private readonly exchange: McpExchange,
    /** @internal */
    protected readonly current: Round,
  ) {}

  /** The number of this pass through the handler, from 1. */
  get round(): number {
    return this.current.round;
  }

  /** The same in every round of a conversation, and in no other. */
  get conversationId(): string {
    return this.current.conversationId;
  }

  /** The client: who it says it is, and what it can do. */
  get client(): McpClient {
    return this.exchange.client;
  }

  /** The caller, as the principal source names it; `null` for nobody. */
  get principal(): string | null {
    return this.exchange.principal;
  }

  /** Aborts when the client goes away: pass it on, and stop. */
  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  /**
   * Log messages for the client, if it asked for them.
   * @deprecated Logging to the client is deprecated in revision 2026-07-28 (SEP-2577), and still
   * functional. Log on the server, with Nest's `Logger` or OpenTelemetry, and tell the user in results
   * and progress.
   */
  get log(): McpClientLog {
    return (this.clientLog ??= new ExchangeClientLog(this.exchange, this.current.execution));
  }

  elicit<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options: AskOptions = {},
  ): Promise<ElicitAnswer<C>> {
    return this.current.execution.ask(() => {
      this.client.require('elicitation.form');
      return elicitAsk(message, form, options);
    });
  }

  ask<C extends object>(
    message: string,
    form: FormWriter<C> | Type<C>,
    options: NeededAskOptions = {},
  ): Promise<C> {
    return unheard(
      this.elicit(message, form, options).then((answer) =>
        neededContent(answer, message, options.otherwise),
      ),
    );
  }

  confirm(message: string, options: AskOptions = {}): Promise<boolean> {
    return unheard(
      this.elicit(message, confirmation, options).then(
        (answer) => answer.action === 'accept' && answer.content.confirmed,
      ),
    );
  }

  elicitUrl(
    message: string,
    url: string,
    options: AskOptions = {},
  ): Promise<{ readonly action: ElicitAction }> {
    return this.current.execution.ask(() => {
      this.client.require('elicitation.url');
      return elicitUrlAsk(message, url, options);
    });
  }

  /**
   * Has the client's model complete messages: see {@link McpElicitor.sample}.
   *
   * @deprecated Sampling is deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove it. Call the API of a model provider from the server instead.
   */
  sample(
    params: CreateMessageRequestParams,
    options: AskOptions = {},
  ): Promise<CreateMessageResult> {
    return this.current.execution.ask(() => {
      this.client.require(...sampleFeatures(params));
      return sampleAsk(params, options);
    });
  }

  /**
   * Lists the folders the client lets the server work on: see {@link McpElicitor.listRoots}.
   *
   * @deprecated Roots are deprecated in revision 2026-07-28 (SEP-2577), and still functional; revisions
   * from 2027-07-28 on may remove them. Take folders and files as arguments, as resources, or from the
   * server's configuration instead.
   */
  listRoots(options: AskOptions = {}): Promise<readonly Root[]> {
    return this.current.execution.ask(() => {
      this.client.require('roots');
      return rootsAsk(options);
    });
  }

  /**
   * Does a piece of work once a conversation. Its result is recorded in the token and returned in every
   * later round, in which the work is not done; so charge a card in a step, and ask before and after it
   * as you like.
   *
   * - **Through JSON.** The value is what JSON makes of it, in the first round too: a `Date` is a string.
   *   What JSON would lose (a `Map`, a `BigInt`, `NaN`) is refused.
   * - **In one token.** At most `replay.maxEntryBytes`; return what later rounds need, not all there is.
   * - **Failures are not recorded.** What the work throws, the step throws; it is tried again as often
   *   as `retries` says, and in the next round.
   * - **At least once, at most once if you say so.** A process that dies between the work and its answer
   *   has recorded nothing: give `idempotencyKey` to what charges, and the tool `once: true`.
   * - **One piece.** No question and no other step within it. Steps may run side by side; those that
   *   run when a question suspends the round are awaited and recorded.
   *
   * @param name 1 to 64 letters, digits, `_`, `.` or `-`; repeats are counted (`charge`, `charge:2`)
   * @throws InvalidStepException | EntryTooLargeException
   */
  step<T>(name: string, work: StepWork<T>, options?: StepOptions): Promise<Recorded<T>> {
    return this.current.execution.step(name, work, options);
  }

  /** The time of the first call, in epoch milliseconds: recorded, so that every round has the same. */
  now(): number {
    return this.current.execution.draw('now()', (records) => records.now());
  }

  /** A random number of 0 to 1, 1 excluded: recorded, so that every round has the same. */
  random(): number {
    return this.current.execution.draw('random()', (records) => records.random());
  }

  /** A random UUID: recorded, so that every round has the same. */
  uuid(): string {
    return this.current.execution.draw('uuid()', (records) => records.uuid());
  }

  /**
   * Which branch of changed code this conversation takes: the newest when it comes here for the first
   * time, the oldest when an earlier round has been here before the branch was there; recorded, so that
   * it stays so. Raise `oldest` when no conversation of the old code can be under way any more.
   *
   * @param id a name for the change: 1 to 64 letters, digits, `_`, `.` or `-`
   * @throws LedgerMismatchException when the recorded version is not supported any more
   */
  version(id: string, oldest: number, newest: number): number {
    return this.current.execution.draw('version()', (records) =>
      records.version(id, oldest, newest),
    );
  }

  /**
   * Within a step: the same whenever this step of this conversation is tried, and for nothing else. Give
   * it to APIs that take an idempotency key; the work of a step is given it too.
   * @throws InvalidStepException where no step is running
   */
  get idempotencyKey(): string {
    return this.current.execution.idempotencyKey;
  }

  countingProgress(total?: number): CountingProgress {
    return new CountingProgress(this.channel, total);
  }

  absoluteProgress(total?: number): AbsoluteProgress {
    return new AbsoluteProgress(this.channel, total);
  }

  percentageProgress(): PercentageProgress {
    return new PercentageProgress(this.channel);
  }

  private get channel(): ExchangeProgressChannel {
    return (this.progressChannel ??= new ExchangeProgressChannel(
      this.exchange,
      this.current.execution,
    ));
  }
}
