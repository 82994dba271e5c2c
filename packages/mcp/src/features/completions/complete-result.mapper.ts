import { InvalidResultException } from '../../exceptions/index.js';
import { type CompleteResult, isJsonObject } from '../../protocol/index.js';

/** How many values a result may have. */
export const MAX_VALUES = 100;

interface Completions {
  readonly values: readonly string[];
  readonly total: number | undefined;
  readonly hasMore: boolean | undefined;
}

/**
 * Turns what a completion returned into a result: a list, an object with `values`, or nothing. More
 * than 100 values are cut, and counted unless the completion has counted itself.
 * @throws InvalidResultException for anything else
 */
export function toCompleteResult(name: string, returned: unknown): CompleteResult {
  const { values, total, hasMore } = read(name, returned);
  const sent = values.slice(0, MAX_VALUES);
  const counted = total ?? (hasMore === true ? undefined : values.length);
  return {
    resultType: 'complete',
    completion: {
      values: sent,
      ...(counted !== undefined && { total: counted }),
      // What was cut and what was counted outrank what was said.
      hasMore: hasMore === true || (counted ?? values.length) > sent.length,
    },
  };
}

function read(name: string, returned: unknown): Completions {
  if (returned === undefined) return { values: [], total: undefined, hasMore: undefined };
  if (isStrings(returned)) return { values: returned, total: undefined, hasMore: undefined };
  if (!isJsonObject(returned) || !isStrings(returned['values'])) {
    throw new InvalidResultException(
      name,
      'a completion returns a list of strings, or { values: […], total?, hasMore? }',
    );
  }
  const { values, total, hasMore } = returned as { values: string[] } & Record<string, unknown>;
  if (total !== undefined && !(Number.isSafeInteger(total) && Number(total) >= values.length)) {
    throw new InvalidResultException(
      name,
      `its total is ${JSON.stringify(total)}, and it has ${values.length} values`,
    );
  }
  if (hasMore !== undefined && typeof hasMore !== 'boolean') {
    throw new InvalidResultException(name, 'its hasMore is neither true nor false');
  }
  return { values, total: total as number | undefined, hasMore };
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
