import { type JsonProblem, type JsonRules, problemIn } from '../../schema/index.js';

/** What `JSON.stringify()` fails over. */
const RULES: JsonRules = {
  problemOf: (value, path) =>
    typeof value === 'bigint'
      ? {
          fact: `${path} is a bigint, which JSON has not`,
          mend: 'Return it as text, or as a number if it is small enough',
        }
      : undefined,
  circle: (path, above) => ({
    fact: `${path} refers back to ${above}`,
    mend: 'Return a copy of what is needed, without the way back',
  }),
  failed: (path, error) => failed(`toJSON() of ${path} failed`, error),
};

/**
 * Looks for what `JSON.stringify()` failed over, on the way it takes; `undefined` for a value that is
 * JSON. What JSON leaves out within an object (functions, symbols, `undefined`) is no problem of it.
 * @param path where the value is, in words
 */
export function jsonProblem(value: unknown, path = 'it'): JsonProblem | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? unwritten(value, path) : undefined;
  } catch (error) {
    return found(value, path) ?? failed(`${path} is not JSON`, error);
  }
}

/** `undefined` when looking fails too, as with a getter that throws. */
function found(value: unknown, path: string): JsonProblem | undefined {
  try {
    return problemIn(value, path, RULES);
  } catch {
    return undefined;
  }
}

function failed(fact: string, error: unknown): JsonProblem {
  return { fact: `${fact} (${(error as Error).message})`, mend: 'Return plain data' };
}

function unwritten(value: unknown, path: string): JsonProblem {
  if (value === undefined) return { fact: `${path} is nothing`, mend: 'Return a value' };
  if (typeof value === 'object') {
    return { fact: `toJSON() of ${path} gave nothing`, mend: 'Return plain data' };
  }
  return {
    fact: `${path} is a ${typeof value}, which JSON has not`,
    mend: 'Return data',
  };
}
