import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import {
  CallEndedException,
  DivergedReplayException,
  leftoverMessage,
  LedgerMismatchException,
  type RejectionReason,
  RequestStateRejectedException,
  StateTooLargeException,
} from '../exceptions/index.js';
import type { InputRequests, InputRequiredResult } from '../protocol/index.js';
import { ReplayExecution } from './execution.js';
import { InProcessConversationGuard } from './in-process-conversation.guard.js';
import { NO_ANSWERS, offerAnswers, type UnclaimedAnswers } from './input-responses.js';
import { Ledger } from './ledger.js';
import type { McpConversationGuard } from './mcp-conversation.guard.js';
import type { McpObserver, ReplayEvent, RoundEnd, RoundFacts } from './mcp-observer.js';
import {
  type ClaimedRound,
  claimRound,
  type KeptAnswer,
  type RepeatedRound,
} from './played-once.js';
import type { ReplayExecutor, RoundOutcome } from './replay-executor.js';
import type { HandlerReplayOptions, ReplayLimits } from './replay-limits.js';
import type { RequestState } from './request-state.js';
import type { RequestStateCodec } from './request-state.codec.js';
import { RoundReporter } from './round-reporter.js';
import { checkAge, checkBinding, type StateBinding } from './state-checks.js';

/** What the engine needs to know of a call. */
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
}

/** What a handler may know of the round it runs in. */
export interface Round {
  readonly conversationId: string;
  /** From 1. */
  readonly round: number;
  readonly execution: ReplayExecution;
  /** Of a handler that is played once: keeps the result of the call for duplicates. */
  readonly claim?: ClaimedRound;
}

/** How a round ended that was played; errors are thrown. */
export type PlayedOutcome<T> =
  | { readonly type: 'completed'; readonly value: T }
  | { readonly type: 'suspended'; readonly result: InputRequiredResult };

/** How a call ended; errors are thrown. */
export type CallOutcome<T> =
  | PlayedOutcome<T>
  /** The round was played before; `answer` is what it was answered with. */
  | { readonly type: 'repeated'; readonly answer: KeptAnswer };

/** What an application may provide. */
export interface EngineSeams {
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly observer?: McpObserver;
  readonly guard?: McpConversationGuard;
}

type Conversation = Pick<RequestState, 'conversationId' | 'startedAt' | 'round'> & {
  readonly ledger: Ledger;
  readonly unclaimed: UnclaimedAnswers;
  /** Of a handler that is played once: the round is this call's. */
  readonly claim?: ClaimedRound;
};

type Handler<T> = (round: Round) => Promise<T>;

/**
 * Carries conversations over the wire: the ledger comes in with `requestState` and leaves with it.
 *
 * 1. A handler never runs on state that did not authenticate, has expired, or belongs to another
 *    principal, method, target or arguments.
 * 2. Checks come in one order: seal, age, rounds, principal, method, target, arguments, answers, claim.
 * 3. Nothing is kept, but that a round was played where the handler says `once`: any instance that holds
 *    the key can play the next round.
 * 4. A conversation that starts again keeps its age and its rounds, and starts again once a call.
 * 5. A rehearsed round takes as many passes as it records things, and is told of as one.
 * 6. An interceptor may play a call several times: that is one round, and each attempt begins with what
 *    the one before has recorded.
 */
export class MrtrEngine {
  private readonly logger = new Logger('McpHandler');
  private readonly now: () => number;
  private readonly reporter: RoundReporter;
  private readonly guard: McpConversationGuard;
  /** What the last attempt of a call was played with. */
  private readonly attempts = new WeakMap<ReplayCall, Conversation>();

  constructor(
    private readonly executor: ReplayExecutor,
    private readonly codec: RequestStateCodec,
    private readonly limits: ReplayLimits,
    { now = Date.now, observer, guard = new InProcessConversationGuard(now) }: EngineSeams = {},
  ) {
    this.now = now;
    this.reporter = new RoundReporter(observer);
    this.guard = guard;
  }

  /** @throws RequestStateRejectedException when the round must not be played */
  async play<T>(call: ReplayCall, handler: Handler<T>): Promise<CallOutcome<T>> {
    const begun = this.begin(call);
    const claim = await this.claim(call, begun);
    if (claim !== undefined && 'repeated' in claim) {
      this.reporter.report(() => ({ type: 'round.repeated', ...facts(call, begun) }));
      return { type: 'repeated', answer: claim.repeated };
    }
    const conversation = { ...begun, ...(claim !== undefined && { claim }) };
    this.attempts.set(call, conversation);
    const { requestState: token } = call;
    this.reporter.report(() => ({
      type: 'round.started',
      ...facts(call, conversation),
      stateBytes: typeof token === 'string' ? token.length : 0,
    }));
    const outcome = await this.playOn(call, conversation, handler);
    if (outcome.type === 'suspended') await claim?.answer(() => outcome.result);
    return outcome;
  }

  /** Plays the round, and another one from the beginning where the handler has changed and may. */
  private async playOn<T>(
    call: ReplayCall,
    conversation: Conversation,
    handler: Handler<T>,
  ): Promise<PlayedOutcome<T>> {
    try {
      return await this.round(call, conversation, handler);
    } catch (error) {
      const { onMismatch } = this.limitsOf(call);
      if (!(error instanceof LedgerMismatchException)) throw error;
      if (onMismatch === 'reject' || conversation.ledger.hasSteps) {
        this.reportRejection(call, 'ledger_mismatch', conversation);
        throw error;
      }
      const anew = { ...conversation, ledger: new Ledger(), unclaimed: NO_ANSWERS };
      this.attempts.set(call, anew);
      return this.round(call, anew, handler);
    }
  }

  /** One pass through the handler, and its end told to the observer. */
  private async round<T>(
    call: ReplayCall,
    conversation: Conversation,
    handler: Handler<T>,
  ): Promise<PlayedOutcome<T>> {
    const { conversationId, round, claim } = conversation;
    const began = performance.now();
    let execution = this.execution(call, conversation);
    const end = roundEnd(call, conversation, () => execution, began);
    const pass = (): Promise<RoundOutcome<T>> =>
      this.executor.execute(execution, () =>
        handler({ conversationId, round, execution, ...(claim !== undefined && { claim }) }),
      );
    try {
      let outcome = await pass();
      while (outcome.type === 'interrupted') {
        execution = this.execution(call, conversation);
        outcome = await pass();
      }
      if (outcome.type === 'completed') {
        this.complete(call, execution, end);
        return outcome;
      }
      const result = this.inputRequired(call, conversation, outcome.inputRequests);
      this.reporter.report(() => ({
        type: 'round.suspended',
        ...end(),
        questions: Object.keys(outcome.inputRequests),
        stateBytes: result.requestState.length,
      }));
      return { type: 'suspended', result };
    } catch (error) {
      const { leftover } = execution;
      this.reporter.report(() => thrownEnd(error, end(), leftover));
      throw error;
    }
  }

  private execution(call: ReplayCall, conversation: Conversation): ReplayExecution {
    const { conversationId, ledger, unclaimed } = conversation;
    const { maxAttempts, maxEntryBytes } = this.limits;
    return new ReplayExecution({
      handler: call.handlerName,
      conversationId,
      ledger,
      unclaimed,
      signal: call.signal,
      maxAttempts,
      maxEntryBytes,
      now: this.now,
      rehearsed: call.rehearsed,
    });
  }

  /** @throws DivergedReplayException where the round was rehearsed */
  private complete(
    { rehearsed }: ReplayCall,
    { leftover, handler }: ReplayExecution,
    end: () => RoundEnd,
  ): void {
    if (rehearsed === true && leftover.length > 0)
      throw new DivergedReplayException(handler, leftover);
    this.reporter.report(() => ({ type: 'round.completed', ...end(), leftover }));
    if (leftover.length > 0) this.logger.warn(leftoverMessage(handler, leftover));
  }

  private reportRejection(
    call: ReplayCall,
    reason: RejectionReason,
    conversation?: Conversation,
  ): void {
    const { handlerName: handler, method } = call;
    this.reporter.report(() => ({
      type: 'round.rejected',
      reason,
      ...(conversation === undefined ? { handler, method } : facts(call, conversation)),
    }));
  }

  /** @throws RequestStateRejectedException `state_consumed`, and whatever the guard throws */
  private async claim(
    call: ReplayCall,
    conversation: Conversation,
  ): Promise<ClaimedRound | RepeatedRound | undefined> {
    if (call.replay.once !== true || call.requestState === undefined) return undefined;
    if (conversation.claim !== undefined) return conversation.claim;
    const { ttlMs, resultTtlMs } = this.limitsOf(call);
    try {
      return await claimRound(this.guard, conversation, call.inputResponses, {
        ttlMs,
        resultTtlMs,
      });
    } catch (error) {
      if (error instanceof RequestStateRejectedException) {
        this.reportRejection(call, error.reason, conversation);
      }
      throw error;
    }
  }

  /** The server's limits, and what the handler has otherwise. */
  private limitsOf({ replay }: ReplayCall): ReplayLimits {
    return { ...this.limits, ...replay };
  }

  /** The conversation an attempt is played with; what comes of an attempt that goes on stays its own. */
  private begin(call: ReplayCall): Conversation {
    const before = this.attempts.get(call);
    return before === undefined
      ? this.open(call)
      : { ...before, ledger: new Ledger(before.ledger.entries) };
  }

  private open(call: ReplayCall): Conversation {
    try {
      const opened = this.opened(call);
      const hasState = call.requestState !== undefined;
      const { answers } = this.limits;
      const unclaimed = offerAnswers(opened.ledger, call.inputResponses, hasState, answers);
      return { ...opened, unclaimed };
    } catch (error) {
      if (error instanceof RequestStateRejectedException) this.reportRejection(call, error.reason);
      throw error;
    }
  }

  private opened(call: ReplayCall): Omit<Conversation, 'unclaimed'> {
    const token = call.requestState;
    const now = this.now();
    if (token === undefined) {
      return { conversationId: randomUUID(), startedAt: now, round: 1, ledger: new Ledger() };
    }
    if (typeof token !== 'string' || token.length > this.limits.maxStateBytes) {
      throw new RequestStateRejectedException(
        'state_malformed',
        `requestState is not a string of at most ${this.limits.maxStateBytes} characters. ` +
          'Echo it exactly as it came, or start the call anew without it.',
      );
    }
    const state = this.codec.open(token);
    checkAge(state, this.limitsOf(call), now);
    checkBinding(call, state);
    return { ...state, round: state.round + 1, ledger: new Ledger(state.entries) };
  }

  private inputRequired(
    call: ReplayCall,
    { conversationId, round, startedAt, ledger }: Conversation,
    inputRequests: InputRequests,
  ): InputRequiredResult {
    const requestState = this.codec.seal({
      conversationId,
      round,
      startedAt,
      issuedAt: this.now(),
      principal: call.principal,
      method: call.method,
      target: call.target,
      argumentsDigest: call.argumentsDigest(),
      entries: ledger.entries,
    });
    if (requestState.length > this.limits.maxStateBytes) {
      throw new StateTooLargeException(
        call.handlerName,
        requestState.length,
        this.limits.maxStateBytes,
        heaviest(ledger),
      );
    }
    return { resultType: 'input_required', inputRequests, requestState };
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

function heaviest(ledger: Ledger): { key: string; bytes: number } {
  return ledger.entries
    .map((entry) => ({ key: entry.key, bytes: Buffer.byteLength(JSON.stringify(entry)) }))
    .reduce((most, entry) => (entry.bytes > most.bytes ? entry : most));
}
