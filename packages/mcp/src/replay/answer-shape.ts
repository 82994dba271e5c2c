import { RequestStateRejectedException } from '../exceptions/index.js';
import { isJsonObject, type JsonValue } from '../protocol/index.js';
import type { AskKind } from './ask.js';

const ACTIONS: readonly unknown[] = ['accept', 'decline', 'cancel'];

/**
 * Holds an answer against the shape its kind of question has on the wire; the form judges content
 * later. Returns the answer reduced to the members the protocol defines.
 * @throws RequestStateRejectedException `answer_malformed` or `answer_wrong_kind`
 */
export function checkAnswerShape(kind: AskKind, key: string, answer: unknown): JsonValue {
  return CHECKS[kind](key, answer);
}

const CHECKS: Readonly<Record<AskKind, (key: string, answer: unknown) => JsonValue>> = {
  elicit: checkElicitResult,
};

function checkElicitResult(key: string, answer: unknown): JsonValue {
  if (!isJsonObject(answer)) {
    throw malformed(key, 'is not an object');
  }
  if (!('action' in answer) && ('roots' in answer || 'role' in answer || 'model' in answer)) {
    throw new RequestStateRejectedException(
      'answer_wrong_kind',
      `inputResponses[${JSON.stringify(key)}] must carry an elicitation result: that is what was asked. ` +
        'Answer with {"action": "accept", "content": {…}}, {"action": "decline"} or {"action": "cancel"}.',
      { key },
    );
  }
  const action = answer['action'];
  if (!ACTIONS.includes(action)) {
    throw malformed(key, 'has no "action" of "accept", "decline" or "cancel"');
  }
  const content = answer['content'];
  if (action !== 'accept') return { action: action as string };
  if (content === undefined || content === null) return { action: 'accept', content: {} };
  if (!isJsonObject(content)) throw malformed(key, 'has a "content" that is not an object');
  for (const [name, value] of Object.entries(content)) {
    if (!isFormValue(value)) {
      throw malformed(
        key,
        `has a content property ${JSON.stringify(name)} that is not a string, number, boolean or list of strings`,
      );
    }
  }
  return { action: 'accept', content: content as JsonValue };
}

function isFormValue(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

function malformed(key: string, fact: string): RequestStateRejectedException {
  return new RequestStateRejectedException(
    'answer_malformed',
    `inputResponses[${JSON.stringify(key)}] ${fact}. Repeat the call with a well-formed answer.`,
    { key },
  );
}
