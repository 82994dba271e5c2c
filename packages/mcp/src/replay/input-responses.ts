import { RequestStateRejectedException } from '../exceptions/index.js';
import { isJsonObject } from '../protocol/index.js';
import { checkAnswerShape } from './answer-shape.js';
import { isAnswered, type Ledger } from './ledger.js';

/**
 * How answers are held against the ledger. `strict` refuses what was not asked; `lenient` ignores
 * it, as the protocol's SHOULD has it, and lets a named question be answered without state.
 */
export type AnswerPolicy = 'strict' | 'lenient';

/** Answers that came without a slot in the ledger; only the lenient policy has any. */
export type UnclaimedAnswers = ReadonlyMap<string, unknown>;

/** Nothing came without a slot. */
export const NO_ANSWERS: UnclaimedAnswers = new Map();

/**
 * Lays the answers of a retry into the ledger. The first offence refuses all of them.
 * @throws RequestStateRejectedException
 */
export function offerAnswers(
  ledger: Ledger,
  inputResponses: unknown,
  hasState: boolean,
  policy: AnswerPolicy,
): UnclaimedAnswers {
  if (inputResponses === undefined) return NO_ANSWERS;
  if (!isJsonObject(inputResponses)) {
    throw new RequestStateRejectedException(
      'answer_malformed',
      'inputResponses is not an object of answers by key. Leave it out, or send one answer for each key of inputRequests.',
    );
  }
  const keys = Object.keys(inputResponses);
  if (keys.length === 0) return NO_ANSWERS;
  if (!hasState && policy === 'strict') {
    throw new RequestStateRejectedException(
      'answers_without_state',
      'inputResponses present without requestState: there is no question to answer. ' +
        'Echo the requestState of the input_required result, or leave inputResponses out.',
    );
  }

  const offers: (() => void)[] = [];
  const unclaimed = new Map<string, unknown>();
  for (const key of keys) {
    const answer = inputResponses[key];
    const entry = ledger.question(key);
    if (entry === undefined) {
      if (policy === 'strict') throw unknownKey(key);
      if (!hasState) unclaimed.set(key, answer);
    } else if (isAnswered(entry)) {
      if (policy === 'strict') throw repeatedKey(key);
    } else {
      const offer = checkAnswerShape(entry.kind, key, answer);
      offers.push(() => (entry.offer = offer));
    }
  }
  for (const lay of offers) lay();
  return unclaimed;
}

function unknownKey(key: string): RequestStateRejectedException {
  return new RequestStateRejectedException(
    'answer_unknown',
    `Unknown inputResponses key ${JSON.stringify(key)}: it was never asked in this conversation. ` +
      'Answer only the keys of inputRequests.',
    { key },
  );
}

function repeatedKey(key: string): RequestStateRejectedException {
  return new RequestStateRejectedException(
    'answer_repeated',
    `inputResponses key ${JSON.stringify(key)} was already answered in a previous round trip. ` +
      'Answer only the keys of the last inputRequests.',
    { key },
  );
}
