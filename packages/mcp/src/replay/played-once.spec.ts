import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { InvalidParamsException, RepeatedErrorException } from '../exceptions/index.js';
import { InProcessConversationGuard } from './in-process-conversation.guard.js';
import { type ClaimedRound, claimRound, keptResult, type RepeatedRound } from './played-once.js';

const ROUND = { conversationId: 'c', round: 2 };
const TIMES = { ttlMs: 1_000, resultTtlMs: 500 };

function claimed(claim: ClaimedRound | RepeatedRound): ClaimedRound {
  if ('repeated' in claim) throw new Error('was played before');
  return claim;
}

describe('A round that nobody else plays', () => {
  it('is answered even where its answer could not be kept for duplicates', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const down = new Error('no store');
    class Forgetful extends InProcessConversationGuard {
      override record(): Promise<void> {
        return Promise.reject(down);
      }
    }
    const round = claimed(await claimRound(new Forgetful(), ROUND, undefined, TIMES));
    expect(await round.answer(() => ({ paid: true }))).toEqual({ paid: true });
    expect(logged.mock.calls).toEqual([[down]]);
    logged.mockRestore();
  });

  it('is answered as often as it says, and duplicates get the last answer', async () => {
    const guard = new InProcessConversationGuard();
    const round = claimed(await claimRound(guard, ROUND, {}, TIMES));
    await round.answer(() => ({ step: 1 }));
    await round.answer(() => ({ step: 2 }));
    expect(await claimRound(guard, ROUND, undefined, TIMES)).toEqual({
      repeated: { result: { step: 2 } },
    });
  });
});

describe('A round that ended with an error of the protocol', () => {
  it('is known to duplicates without data that could not be written down', async () => {
    const guard = new InProcessConversationGuard();
    const round = claimed(await claimRound(guard, ROUND, undefined, TIMES));
    const error = new InvalidParamsException('too much', { cents: 10n });
    const { code, message, httpStatus } = error;
    await expect(round.answer(() => Promise.reject(error))).rejects.toBe(error);
    expect(await claimRound(guard, ROUND, undefined, TIMES)).toEqual({
      repeated: { error: { code, message, httpStatus } },
    });
  });
});

describe('What a duplicate is answered with', () => {
  it('is the result of the first', () => {
    expect(keptResult({ result: { paid: true } })).toEqual({ paid: true });
  });

  it('is the error of the first', () => {
    const error = { code: -32603, message: 'Too large', httpStatus: 500 };
    expect(() => keptResult({ error })).toThrow(new RepeatedErrorException(error));
  });
});
