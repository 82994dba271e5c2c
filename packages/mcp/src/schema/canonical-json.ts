import { InvalidParamsException } from '../exceptions/index.js';
import type { JsonValue } from '../protocol/index.js';

/** Deeper values are refused: they serve nobody and exhaust the stack. */
export const MAX_JSON_DEPTH = 256;

/**
 * JSON with sorted keys and no white space: equal values give equal text, whatever the order in
 * which their members were written. Members that are `undefined` are left out, as in JSON.
 */
export function canonicalJson(value: JsonValue | undefined): string {
  return write(value, 0);
}

function write(value: JsonValue | undefined, depth: number): string {
  if (depth > MAX_JSON_DEPTH) {
    throw new InvalidParamsException(
      `A value is nested more than ${MAX_JSON_DEPTH} levels deep. Send flatter arguments.`,
    );
  }
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  let text = '';
  if (isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${write(item, depth + 1)}`;
    return `[${text}]`;
  }
  for (const key of sorted(Object.keys(value))) {
    const member = value[key];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${quote(key)}:${write(member, depth + 1)}`;
  }
  return `{${text}}`;
}

/** Printable ASCII with nothing to escape, which most text is: looking costs less than writing. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function sorted(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return keys.sort();
  }
  return keys;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
