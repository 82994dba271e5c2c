import { InvalidResultException } from '../../exceptions/index.js';
import { jsonProblem } from './json-problem.js';

/** The JSON of what a handler returned. @throws InvalidResultException when it has none */
export function jsonText(handler: string, value: unknown): string {
  const text = stringify(value);
  if (text !== undefined) return text;
  const { fact, mend } = jsonProblem(value) ?? UNSTABLE;
  throw new InvalidResultException(handler, fact, mend);
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
const UNSTABLE = { fact: 'it is not always JSON', mend: 'Return plain data' };
