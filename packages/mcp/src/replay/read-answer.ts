import type { InputRequest, JsonValue } from '../protocol/index.js';
import { checkAnswerShape } from './answer-shape.js';
import type { AskKind } from './ask.js';

const KINDS: Readonly<Record<InputRequest['method'], AskKind>> = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'roots',
};

/**
 * Holds an answer against the shape that its question asks for.
 * @throws RequestStateRejectedException
 */
export function readAnswer({ method }: InputRequest, key: string, answer: unknown): JsonValue {
  return checkAnswerShape(KINDS[method], key, answer);
}
