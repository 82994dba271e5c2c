import { RequestStateRejectedException } from '../exceptions/index.js';
import type { ReplayableMethod } from '../protocol/index.js';
import { CLOCK_SKEW_MS, type ReplayLimits } from './replay-limits.js';
import type { RequestState } from './request-state.js';

/** What state is bound to. */
export interface StateBinding {
  readonly principal: string | null;
  readonly method: ReplayableMethod;
  /** Tool or prompt name, or resource uri. */
  readonly target: string;
  /** Fingerprint of the arguments as they came. */
  argumentsDigest(): string;
}

/**
 * @param nowMs epoch milliseconds
 * @throws RequestStateRejectedException for what has waited too long, or gone on for too long
 */
export function checkAge(
  state: RequestState,
  { ttlMs, maxAgeMs, maxRounds }: Pick<ReplayLimits, 'ttlMs' | 'maxAgeMs' | 'maxRounds'>,
  nowMs: number,
): void {
  if (nowMs > state.issuedAt + ttlMs) {
    throw new RequestStateRejectedException(
      'state_expired',
      `requestState has expired: its answer was due within ${ttlMs} ms. Start the call anew without it.`,
    );
  }
  if (state.issuedAt > nowMs + CLOCK_SKEW_MS) {
    throw new RequestStateRejectedException(
      'state_expired',
      'requestState was issued in the future: the clocks of the server instances differ by more than a minute. ' +
        'Start the call anew without it.',
    );
  }
  if (nowMs > state.startedAt + maxAgeMs) {
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

/** @throws RequestStateRejectedException for state of another caller or another call */
export function checkBinding(call: StateBinding, state: RequestState): void {
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
