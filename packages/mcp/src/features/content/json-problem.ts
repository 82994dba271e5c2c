/** What keeps a value from being JSON, and what helps. */
export interface JsonProblem {
  readonly fact: string;
  readonly mend: string;
}

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
    return search(value, path, new Map());
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

function search(
  value: unknown,
  path: string,
  above: ReadonlyMap<unknown, string>,
): JsonProblem | undefined {
  if (typeof value === 'bigint') {
    return {
      fact: `${path} is a bigint, which JSON has not`,
      mend: 'Return it as text, or as a number if it is small enough',
    };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const circle = above.get(value);
  if (circle !== undefined) {
    return {
      fact: `${path} refers back to ${circle}`,
      mend: 'Return a copy of what is needed, without the way back',
    };
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return converted(value, path, above);
  const within = new Map(above).set(value, path);
  for (const [key, member] of Object.entries(value)) {
    const problem = search(member, memberPath(value, path, key), within);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function converted(
  value: object,
  path: string,
  above: ReadonlyMap<unknown, string>,
): JsonProblem | undefined {
  try {
    const made = (value as { toJSON(): unknown }).toJSON();
    return made === value ? undefined : search(made, path, new Map(above).set(value, path));
  } catch (error) {
    return failed(`toJSON() of ${path} failed`, error);
  }
}

/** `it.accounts[0].balance`, without the `it.` in front. */
export function memberPath(parent: object, path: string, key: string): string {
  const above = path === 'it' ? '' : path;
  if (Array.isArray(parent)) return `${above}[${key}]`;
  return above === '' ? key : `${above}.${key}`;
}
