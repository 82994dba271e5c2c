import { randomUUID } from 'node:crypto';
import { RequestStateRejectedException, StateTooLargeException } from '../exceptions/index.js';
import type { InputRequests, InputRequiredResult, ReplayableMethod } from '../protocol/index.js';
import { ReplayExecution } from './execution.js';
import { type AnswerPolicy, offerAnswers } from './input-responses.js';
import { Ledger } from './ledger.js';
import type { ReplayExecutor } from './replay-executor.js';
import type { RequestState } from './request-state.js';
import type { RequestStateCodec } from './request-state.codec.js';

/** Limits of conversations; durations in milliseconds. */
export interface ReplayLimits {
  /** How long a token may wait for its answer; every round starts anew. */
  readonly ttlMs: number;
  /** How long a conversation may last. */
  readonly maxAgeMs: number;
  /** How many rounds a conversation may have. */
  readonly maxRounds: number;
  /** How long a token may be, in characters of base64url (bytes on the wire). */
  readonly maxStateBytes: number;
  readonly answers: AnswerPolicy;
}

/** Tolerated difference between the clocks of two instances, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;

/** What the engine needs to know of a call. */
export interface ReplayCall {
  readonly handlerName: string;
  readonly method: ReplayableMethod;
  /** Tool or prompt name, or resource uri. */
  readonly target: string;
  readonly principal: string | null;
  /** `params.inputResponses`, unchecked. */
  readonly inputResponses: unknown;
  /** `params.requestState`, unchecked. */
  readonly requestState: unknown;
  /** Fingerprint of the arguments as they came. */
  argumentsDigest(): string;
}

/** What a handler may know of the round it runs in. */
export interface Round {
  readonly conversationId: string;
  /** From 1. */
  readonly round: number;
  readonly execution: ReplayExecution;
}

/** How a call ended; errors are thrown. */
export type CallOutcome<T> =
  | { readonly type: 'completed'; readonly value: T }
  | { readonly type: 'suspended'; readonly result: InputRequiredResult };

type Conversation = Pick<RequestState, 'conversationId' | 'startedAt' | 'round'> & {
  readonly ledger: Ledger;
};

/**
 * Carries conversations over the wire: the ledger comes in with `requestState` and leaves with it.
 *
 * 1. A handler never runs on state that did not authenticate, has expired, or belongs to another
 *    principal, method, target or arguments.
 * 2. Checks come in one order: seal, age, rounds, principal, method, target, arguments, answers.
 * 3. Nothing is kept: any instance that holds the key can play the next round.
 */
export class MrtrEngine {
  constructor(
    private readonly executor: ReplayExecutor,
    private readonly codec: RequestStateCodec,
    private readonly limits: ReplayLimits,
    /** Epoch milliseconds. */
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws RequestStateRejectedException when the round must not be played */
  async play<T>(call: ReplayCall, handler: (round: Round) => Promise<T>): Promise<CallOutcome<T>> {
    const conversation = this.open(call);
    const { ledger, conversationId, round } = conversation;
    const unclaimed = offerAnswers(
      ledger,
      call.inputResponses,
      call.requestState !== undefined,
      this.limits.answers,
    );
    const execution = new ReplayExecution(call.handlerName, ledger, unclaimed);
    const outcome = await this.executor.execute(execution, () =>
      handler({ conversationId, round, execution }),
    );
    switch (outcome.type) {
      case 'completed':
        return outcome;
      case 'suspended':
        return {
          type: 'suspended',
          result: this.inputRequired(call, conversation, outcome.inputRequests),
        };
    }
  }

  private open(call: ReplayCall): Conversation {
    const token = call.requestState;
    if (token === undefined) {
      return {
        conversationId: randomUUID(),
        startedAt: this.now(),
        round: 1,
        ledger: new Ledger(),
      };
    }
    if (typeof token !== 'string' || token.length > this.limits.maxStateBytes) {
      throw new RequestStateRejectedException(
        'state_malformed',
        `requestState is not a string of at most ${this.limits.maxStateBytes} characters. ` +
          'Echo it exactly as it came, or start the call anew without it.',
      );
    }
    const state = this.codec.open(token);
    this.checkAge(state);
    checkBinding(call, state);
    return { ...state, round: state.round + 1, ledger: new Ledger(state.entries) };
  }

  private checkAge(state: RequestState): void {
    const now = this.now();
    const { ttlMs, maxAgeMs, maxRounds } = this.limits;
    if (now > state.issuedAt + ttlMs) {
      throw new RequestStateRejectedException(
        'state_expired',
        `requestState has expired: its answer was due within ${ttlMs} ms. Start the call anew without it.`,
      );
    }
    if (state.issuedAt > now + CLOCK_SKEW_MS) {
      throw new RequestStateRejectedException(
        'state_expired',
        'requestState was issued in the future: the clocks of the server instances differ by more than a minute. ' +
          'Start the call anew without it.',
      );
    }
    if (now > state.startedAt + maxAgeMs) {
      throw new RequestStateRejectedException(
        'conversation_expired',
        `The conversation is older than ${maxAgeMs} ms. Start the call anew without requestState.`,
      );
    }
    if (state.round >= maxRounds) {
      throw new RequestStateRejectedException(
        'too_many_rounds',
        `The conversation has had ${maxRounds} rounds, as many as it may. Start the call anew without requestState.`,
      );
    }
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

function checkBinding(call: ReplayCall, state: RequestState): void {
  if (state.principal !== call.principal) {
    throw new RequestStateRejectedException(
      'principal_mismatch',
      'requestState was issued for a different principal. Start the call anew without it.',
    );
  }
  if (state.method !== call.method) {
    throw new RequestStateRejectedException(
      'method_mismatch',
      `requestState was issued for ${state.method} but the retry arrived on ${call.method}. Retry the original call.`,
    );
  }
  if (state.target !== call.target) {
    throw new RequestStateRejectedException(
      'target_mismatch',
      'requestState was issued for a different target. Retry with the original name or uri.',
    );
  }
  if (state.argumentsDigest !== call.argumentsDigest()) {
    throw new RequestStateRejectedException(
      'arguments_mismatch',
      'requestState was issued for different arguments. Retry with the original arguments.',
    );
  }
}

function heaviest(ledger: Ledger): { key: string; bytes: number } {
  return ledger.entries
    .map((entry) => ({ key: entry.key, bytes: Buffer.byteLength(JSON.stringify(entry)) }))
    .reduce((most, entry) => (entry.bytes > most.bytes ? entry : most));
}
