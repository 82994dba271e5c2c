/** What keeps a value from being JSON, or from coming back as what it was, and what helps. */
export interface JsonProblem {
  readonly fact: string;
  readonly mend: string;
}

/** What somebody minds of values that are to be JSON, in their own words. */
export interface JsonRules {
  /** Of a value as it is written, its members aside; `depth` counts the objects around it. */
  problemOf(value: unknown, path: string, depth: number): JsonProblem | undefined;
  /** What is looked at in place of an object; `writtenAs()` where it is left out. */
  written?(value: object): unknown;
  /** Of what is within itself, at `path` and at `above`. It is not entered again, rule or not. */
  circle?(path: string, above: string): JsonProblem;
  /** Of an object that cannot say what is written; without the rule its error is thrown. */
  failed?(path: string, error: unknown): JsonProblem;
}

/**
 * The first problem on the way that `JSON.stringify()` takes: through `toJSON()`, and past functions
 * and symbols within objects.
 * @param path where the value is, in words; what is in `it` goes by its own name
 * @throws what a getter throws
 */
export function problemIn(value: unknown, path: string, rules: JsonRules): JsonProblem | undefined {
  return new JsonWalk(rules).visit(value, path);
}

/** What JSON writes in place of an object: what its `toJSON()` gives, if it has one. */
export function writtenAs(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON as () => unknown).call(value) : value;
}

class JsonWalk {
  /** The objects around what is looked at, and where they are. */
  private readonly above = new Map<object, string>();

  constructor(private readonly rules: JsonRules) {}

  /** @param final `toJSON()` has been asked: JSON does so once, and takes what it gets */
  visit(value: unknown, path: string, final = false): JsonProblem | undefined {
    const depth = this.above.size;
    if (typeof value !== 'object' || value === null) {
      return this.rules.problemOf(value, path, depth);
    }
    const earlier = this.above.get(value);
    if (earlier !== undefined) return this.rules.circle?.(path, earlier);
    this.above.set(value, path);
    const problem = final ? this.look(value, path, depth) : this.convert(value, path, depth);
    this.above.delete(value);
    return problem;
  }

  private convert(value: object, path: string, depth: number): JsonProblem | undefined {
    const { rules } = this;
    let made: unknown;
    try {
      made = rules.written === undefined ? writtenAs(value) : rules.written(value);
    } catch (error) {
      if (rules.failed === undefined) throw error;
      return rules.failed(path, error);
    }
    return made === value ? this.look(value, path, depth) : this.visit(made, path, true);
  }

  private look(value: object, path: string, depth: number): JsonProblem | undefined {
    return this.rules.problemOf(value, path, depth) ?? this.lookInto(value, path);
  }

  private lookInto(value: object, path: string): JsonProblem | undefined {
    const above = path === 'it' ? '' : path;
    if (Array.isArray(value)) {
      return first(value.entries(), ([index, item]) => this.visit(item, `${above}[${index}]`));
    }
    return first(Object.entries(value), ([name, member]: [string, unknown]) =>
      typeof member === 'function' || typeof member === 'symbol'
        ? undefined
        : this.visit(member, above === '' ? name : `${above}.${name}`),
    );
  }
}

function first<T>(
  parts: Iterable<T>,
  find: (part: T) => JsonProblem | undefined,
): JsonProblem | undefined {
  for (const part of parts) {
    const problem = find(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
