import type { Result } from '../../protocol/index.js';

/** Of results that are given many times over; written when first asked for. */
const texts = new WeakMap<Result, string>();

/** Has a result written once. It must not change any more. */
export function keepText<R extends Result>(result: R): R {
  texts.set(result, '');
  return result;
}

/** The JSON of a result. */
export function resultText(result: Result): string {
  const known = texts.get(result);
  if (known === undefined) return JSON.stringify(result);
  if (known !== '') return known;
  const text = JSON.stringify(result);
  texts.set(result, text);
  return text;
}
