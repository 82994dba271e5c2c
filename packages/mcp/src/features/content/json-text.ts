import { InvalidResultException } from '../../exceptions/index.js';
import type { JsonProblem } from '../../schema/index.js';
import { jsonLoss, NOTHING_KEPT } from './json-loss.js';
import { jsonProblem } from './json-problem.js';

/**
 * The JSON of what a handler returned.
 * @throws InvalidResultException when it has none, or one that keeps nothing of a part of the value
 */
export function jsonText(handler: string, value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw refusal(handler, jsonProblem(value) ?? UNSTABLE);
  const loss = text.includes(NOTHING_KEPT) ? jsonLoss(value) : undefined;
  if (loss !== undefined) throw refusal(handler, loss);
  return text;
}

function refusal(handler: string, { fact, mend }: JsonProblem): InvalidResultException {
  return new InvalidResultException(handler, fact, mend);
}

/** `undefined` for what JSON leaves out or fails over. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** A `toJSON()` may fail once, and not again. */
const UNSTABLE: JsonProblem = { fact: 'it is not always JSON', mend: 'Return plain data' };
