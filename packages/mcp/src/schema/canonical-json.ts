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
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${write(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
