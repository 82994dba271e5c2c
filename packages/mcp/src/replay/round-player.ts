import { Logger } from '@nestjs/common';
import {
  CallEndedException,
  DivergedReplayException,
  LedgerMismatchException,
  leftoverMessage,
  type RejectionReason,
} from '../exceptions/index.js';
import type { InputRequests } from '../protocol/index.js';
import { ReplayExecution, type SaveEntries } from './execution.js';
import type { Conversation } from './conversation.js';
import { NO_ANSWERS } from './input-responses.js';
import { Ledger } from './ledger.js';
import type { McpObserver, ReplayEvent, RoundEnd, RoundFacts } from './mcp-observer.js';
import type { ClaimedRound } from './played-once.js';
import type { ReplayExecutor, RoundOutcome } from './replay-executor.js';
import type { RoundDeparture } from './round-departure.js';
import type { HandlerReplayOptions, ReplayLimits } from './replay-limits.js';
import { RoundReporter } from './round-reporter.js';
import type { StateBinding } from './state-checks.js';

/** What is known of a call when a round of it is played. */
export interface ReplayCall extends StateBinding {
  readonly handlerName: string;
  /** `params.inputResponses`, unchecked. */
  readonly inputResponses: unknown;
  /** `params.requestState`, unchecked. */
  readonly requestState: unknown;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
  /** In place of the server's, for this handler. */
  readonly replay: HandlerReplayOptions;
  /** Whether the round is played again after each answer and step of it; see `McpInProcess`. */
  readonly rehearsed?: boolean;
  /** Of a call that may go on elsewhere; without it `detach()` is refused. */
  readonly departure?: RoundDeparture | undefined;
  /** What the last attempt was played with, where the carrier goes on from it. */
  attempt?: Conversation | undefined;
}

/** What a handler may know of the round it runs in. */
export interface Round {
  readonly conversationId: string;
  /** From 1. */
  readonly round: number;
  readonly execution: ReplayExecution;
  /** Of a handler that is played once: keeps the result of the call for duplicates. */
  readonly claim?: ClaimedRound | undefined;
}

/** What a carrier does with a round on its way. */
export interface Carriage<S> {
  /**
   * Takes the ledger of a suspended round away; what it throws fails the round.
   * @returns what stands for it, and how many bytes that has
   */
  suspend(
    conversation: Conversation,
    inputRequests: InputRequests,
  ): { readonly carried: S; readonly stateBytes: number };
  /** Keeps what is recorded before the handler learns of it, where the carrier can. */
  readonly save?: SaveEntries | undefined;
  /** Told what a pass is played with, before it begins: a conversation may start again. */
  begun(conversation: Conversation): void;
}

/** How a round ended that was played; errors are thrown. */
export type PlayedOutcome<T, S> =
  | { readonly type: 'completed'; readonly value: T }
  | { readonly type: 'suspended'; readonly carried: S }
  | { readonly type: 'detached'; readonly conversation: Conversation };

/** What is played: a handler, with all that surrounds it. */
export type RoundHandler<T> = (round: Round) => Promise<T>;

/**
 * Plays rounds for the carriers of ledgers, which bring a conversation and take it away.
 *
 * 1. A conversation whose handler has changed starts again, once a call, where it may and nothing was
 *    done that must not be done twice.
 * 2. A rehearsed round takes as many passes as it records things, and is told of as one.
 * 3. The observer hears of every end.
 */
export class RoundPlayer {
  readonly now: () => number;
  private readonly logger = new Logger('McpHandler');
  private readonly reporter: RoundReporter;

  constructor(
    private readonly executor: ReplayExecutor,
    readonly limits: ReplayLimits,
    { now = Date.now, observer }: { now?: () => number; observer?: McpObserver } = {},
  ) {
    this.now = now;
    this.reporter = new RoundReporter(observer);
  }

  /** The server's limits, and what the handler has otherwise. */
  limitsOf({ replay }: ReplayCall): ReplayLimits {
    return { ...this.limits, ...replay };
  }

  /** @param stateBytes of what the conversation came with */
  async play<T, S>(
    call: ReplayCall,
    conversation: Conversation,
    stateBytes: number,
    handler: RoundHandler<T>,
    carriage: Carriage<S>,
  ): Promise<PlayedOutcome<T, S>> {
    this.reporter.report(() => ({
      type: 'round.started',
      ...facts(call, conversation),
      stateBytes,
    }));
    try {
      return await this.round(call, conversation, handler, carriage);
    } catch (error) {
      const { onMismatch } = this.limitsOf(call);
      if (!(error instanceof LedgerMismatchException)) throw error;
      if (onMismatch === 'reject' || conversation.ledger.hasSteps) {
        this.rejected(call, 'ledger_mismatch', conversation);
        throw error;
      }
      const anew = { ...conversation, ledger: new Ledger(), unclaimed: NO_ANSWERS };
      return this.round(call, anew, handler, carriage);
    }
  }

  /** Tells that a retry was refused. @param conversation where its state and answers were not */
  rejected(call: ReplayCall, reason: RejectionReason, conversation?: Conversation): void {
    const { handlerName: handler, method } = call;
    this.reporter.report(() => ({
      type: 'round.rejected',
      reason,
      ...(conversation === undefined ? { handler, method } : facts(call, conversation)),
    }));
  }

  /** Tells that a duplicate was answered without being played. */
  repeated(call: ReplayCall, conversation: Conversation): void {
    this.reporter.report(() => ({ type: 'round.repeated', ...facts(call, conversation) }));
  }

  /** One way through the handler, and its end told to the observer. */
  private async round<T, S>(
    call: ReplayCall,
    conversation: Conversation,
    handler: RoundHandler<T>,
    carriage: Carriage<S>,
  ): Promise<PlayedOutcome<T, S>> {
    const { conversationId, round, claim } = conversation;
    const began = performance.now();
    let execution = this.execution(call, conversation, carriage);
    const end = roundEnd(call, conversation, () => execution, began);
    const pass = (): Promise<RoundOutcome<T>> => {
      carriage.begun(conversation);
      return this.executor.execute(execution, () =>
        handler({ conversationId, round, execution, claim }),
      );
    };
    try {
      let outcome = await pass();
      while (outcome.type === 'interrupted') {
        execution = this.execution(call, conversation, carriage);
        outcome = await pass();
      }
      if (outcome.type === 'completed') {
        this.complete(call, execution, end);
        return outcome;
      }
      if (outcome.type === 'detached') {
        this.reporter.report(() => ({ type: 'round.detached', ...end() }));
        return { type: 'detached', conversation };
      }
      const { inputRequests } = outcome;
      const { carried, stateBytes } = carriage.suspend(conversation, inputRequests);
      this.reporter.report(() => ({
        type: 'round.suspended',
        ...end(),
        questions: Object.keys(inputRequests),
        stateBytes,
      }));
      return { type: 'suspended', carried };
    } catch (error) {
      const { leftover } = execution;
      this.reporter.report(() => thrownEnd(error, end(), leftover));
      throw error;
    }
  }

  private execution<S>(
    call: ReplayCall,
    conversation: Conversation,
    { save }: Carriage<S>,
  ): ReplayExecution {
    const { conversationId, ledger, unclaimed } = conversation;
    const { maxAttempts, maxEntryBytes } = this.limits;
    return new ReplayExecution({
      handler: call.handlerName,
      conversationId,
      ledger,
      unclaimed,
      call,
      maxAttempts,
      maxEntryBytes,
      now: this.now,
      rehearsed: call.rehearsed,
      save,
      detach: () => call.departure?.detach,
    });
  }

  /** @throws DivergedReplayException where the round was rehearsed */
  private complete(
    { rehearsed }: ReplayCall,
    { leftover, handler }: ReplayExecution,
    end: () => RoundEnd,
  ): void {
    if (rehearsed === true && leftover.length > 0) {
      throw new DivergedReplayException(handler, leftover);
    }
    this.reporter.report(() => ({ type: 'round.completed', ...end(), leftover }));
    if (leftover.length > 0) this.logger.warn(leftoverMessage(handler, leftover));
  }
}

function facts(call: ReplayCall, { conversationId, round }: Conversation): RoundFacts {
  return { handler: call.handlerName, method: call.method, conversationId, round };
}

/** What the observer is told of the end of a round. @param began of `performance.now()` */
function roundEnd(
  call: ReplayCall,
  conversation: Conversation,
  execution: () => ReplayExecution,
  began: number,
): () => RoundEnd {
  return () => ({
    ...facts(call, conversation),
    entries: conversation.ledger.size,
    durationMs: performance.now() - began,
    replayedMs: (execution().freshSince ?? performance.now()) - began,
  });
}

/** What the observer is told of a round that has thrown. A user who says no is no failure. */
function thrownEnd(error: unknown, end: RoundEnd, leftover: readonly string[]): ReplayEvent {
  if (error instanceof LedgerMismatchException) {
    return { type: 'round.mismatched', ...end, key: error.key };
  }
  return error instanceof CallEndedException
    ? { type: 'round.completed', ...end, leftover }
    : { type: 'round.failed', ...end, error };
}
