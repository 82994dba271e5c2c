import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newCompiler } from './ajv-instances.js';
import type { JsonSchema } from './json-schema.js';
import { compileJsonSchema } from './json-schema.validator.js';

/**
 * Collects garbage until of these only as many live as are held, or gives up. A WeakRef holds its target
 * until the turn is over, and the engine what it is optimising in the background for some more; what is
 * held for good survives every turn.
 */
async function collectGarbage(traces: readonly WeakRef<object>[], held = 0): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let turns = 0; turns < 20; turns += 1) {
    await setImmediate();
    collect();
    if (traces.filter((trace) => trace.deref() !== undefined).length <= held) return;
  }
}

/** A schema with all that a compiler brings along, and a part of it to look for. */
function traceable(n: number): { schema: JsonSchema; trace: WeakRef<object> } {
  const kinds = [`kind ${n}`];
  const schema: JsonSchema = {
    properties: {
      kind: { enum: kinds },
      at: { type: 'string', format: 'date-time', pattern: `^${n}` },
      items: { uniqueItems: true, items: { multipleOf: 0.01 } },
    },
    unevaluatedProperties: false,
  };
  return { schema, trace: new WeakRef(kinds) };
}

describe('what was compiled', () => {
  it('goes with the last that holds it', async () => {
    const checks = new Map<number, ReturnType<typeof compileJsonSchema>>();
    const traces = Array.from({ length: 60 }, (_, n) => {
      const { schema, trace } = traceable(n);
      const check = compileJsonSchema(schema);
      if (n % 20 === 0) checks.set(n, check);
      return trace;
    });
    await collectGarbage(traces, checks.size);
    expect(traces.flatMap((trace, n) => (trace.deref() === undefined ? [] : [n]))).toEqual([
      0, 20, 40,
    ]);
    for (const [n, check] of checks) {
      expect(check({ kind: `kind ${n}`, items: [0.07] }).ok).toBe(true);
      expect(check({ kind: 'kind', items: [0.07] }).ok).toBe(false);
    }
  });

  it('goes when it cannot be compiled', async () => {
    const traces = Array.from({ length: 20 }, (_, n) => {
      const { schema, trace } = traceable(n);
      expect(() => compileJsonSchema({ ...schema, pattern: '(' })).toThrow('regular expression');
      return trace;
    });
    await collectGarbage(traces);
    expect(traces.filter((trace) => trace.deref() !== undefined)).toEqual([]);
  });

  it('does not hold its compiler', async () => {
    const [check, trace] = (() => {
      const { schema } = traceable(0);
      const compiler = newCompiler(schema, '2020-12');
      return [compiler.compile(schema), new WeakRef(compiler)] as const;
    })();
    await collectGarbage([trace]);
    expect(trace.deref()).toBeUndefined();
    expect(check({ items: [1, 1] })).toBe(false);
  });
});
