import { Logger } from '@nestjs/common';
import {
  type AnsweredError,
  errorAsJson,
  McpException,
  RepeatedErrorException,
  RequestStateRejectedException,
} from '../exceptions/index.js';
import type { Awaitable, JsonValue } from '../protocol/index.js';
import { fingerprint } from './fingerprint.js';
import type { McpConversationGuard } from './mcp-conversation.guard.js';
import { CLOCK_SKEW_MS } from './replay-limits.js';

const logger = new Logger('McpConversationGuard');

/** A round that nobody else plays. */
export interface ClaimedRound {
  /** Makes its answer, and keeps it for duplicates. @throws what `make` throws, and nothing else */
  answer<R extends object>(make: () => Awaitable<R>): Promise<R>;
}

/** What a round was answered with: a result, or an error of the protocol. */
export type KeptAnswer = { readonly result: JsonValue } | { readonly error: AnsweredError };

/** A claim that came too late, and what was answered to the one that did not. */
export interface RepeatedRound {
  readonly repeated: KeptAnswer;
}

/** How long things are remembered, in milliseconds. */
export interface GuardTimes {
  /** Of the token the round came with. */
  readonly ttlMs: number;
  readonly resultTtlMs: number;
}

/**
 * Claims a round, so that its work is not done twice.
 *
 * 1. A round that was claimed is not played again, even when the process that had it has died.
 * 2. A duplicate, with the same answers, gets the answer of the first, be it an error.
 * @throws RequestStateRejectedException `state_consumed`
 */
export async function claimRound(
  guard: McpConversationGuard,
  { conversationId, round }: { readonly conversationId: string; readonly round: number },
  answers: unknown,
  { ttlMs, resultTtlMs }: GuardTimes,
): Promise<ClaimedRound | RepeatedRound> {
  const key = `${conversationId}/${round}`;
  const digest = fingerprint((answers ?? {}) as JsonValue);
  const claim = await guard.claim(key, digest, ttlMs + CLOCK_SKEW_MS);
  if (claim.type === 'claimed') {
    const keep: Keep = async (answer) => {
      try {
        await guard.record(key, JSON.stringify(answer), resultTtlMs);
      } catch (error) {
        // The work is done and the caller gets its answer; only duplicates will not.
        logger.error(error);
      }
    };
    return { answer: (make) => keptAnswer(make, keep) };
  }
  if (claim.digest === digest && claim.result !== undefined) {
    return { repeated: JSON.parse(claim.result) as KeptAnswer };
  }
  throw new RequestStateRejectedException(
    'state_consumed',
    claim.digest === digest
      ? 'requestState was used before, and its round may still be played. Repeat the same call in a moment to get its answer, or look up what it has done before you start anew.'
      : 'requestState was used before, with other answers. Go on from the answer to that call, or start the call anew without requestState.',
  );
}

/** The result of a round that was played before. @throws RepeatedErrorException when it had none */
export function keptResult(answer: KeptAnswer): JsonValue {
  if ('error' in answer) throw new RepeatedErrorException(answer.error);
  return answer.result;
}

type Keep = (answer: { result: object } | { error: AnsweredError }) => Promise<void>;

async function keptAnswer<R extends object>(make: () => Awaitable<R>, keep: Keep): Promise<R> {
  try {
    const result = await make();
    await keep({ result });
    return result;
  } catch (error) {
    if (error instanceof McpException) {
      await keep({ error: { ...errorAsJson(error), httpStatus: error.httpStatus } });
    }
    throw error;
  }
}
