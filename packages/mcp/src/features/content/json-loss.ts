import { type JsonProblem, type JsonRules, problemIn, writtenAs } from '../../schema/index.js';

/** How JSON writes what it keeps nothing of, and so a text without it has lost nothing. */
export const NOTHING_KEPT = '{}';

const MENDS: Readonly<Record<string, string>> = {
  Map: 'Return Object.fromEntries() of it',
  Set: 'Return it as a list',
  Promise: 'Await it',
  Error: 'Throw it, or return its message',
};

const RULES: JsonRules = {
  problemOf: (value, path) =>
    typeof value === 'object' && value !== null && isLost(value)
      ? lost(path, tagOf(value))
      : undefined,
  // Of bytes JSON keeps the numbers, however many there are: none of them needs a look.
  written: (value) => (ArrayBuffer.isView(value) ? undefined : writtenAs(value)),
};

/**
 * Looks for what JSON writes as an empty object although it is none: a Map, a Set, a Promise, a
 * generator. Their classes say by their tag that they are more than their members; of an object that
 * is empty, and of one whose class says nothing, nothing is lost.
 * @param value one that `JSON.stringify()` has not failed over
 */
export function jsonLoss(value: unknown, path = 'it'): JsonProblem | undefined {
  try {
    return problemIn(value, path, RULES);
  } catch {
    // A getter may fail at its second call; what JSON has made of its first stands.
    return undefined;
  }
}

function isLost(value: object): boolean {
  return (
    tagOf(value) !== 'Object' &&
    !ArrayBuffer.isView(value) &&
    Object.keys(value).length === 0 &&
    JSON.stringify(value) === NOTHING_KEPT
  );
}

/** `Map` of `[object Map]`. */
function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function lost(path: string, type: string): JsonProblem {
  return {
    fact: `${path} is of type ${type}, of which JSON keeps nothing`,
    mend: MENDS[type] ?? 'Return plain data',
  };
}
