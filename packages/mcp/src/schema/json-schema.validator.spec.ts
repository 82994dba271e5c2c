import type { JsonSchema } from './json-schema.js';
import { compileJsonSchema } from './json-schema.validator.js';

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

function problems(schema: JsonSchema, value: unknown): unknown {
  const result = compileJsonSchema(schema)(value);
  return result.ok ? [] : result.problems;
}

describe('compileJsonSchema', () => {
  it('hands on the accepted value itself, without defaults or conversions', () => {
    const value = Object.freeze({ a: 1 });
    const result = compileJsonSchema({
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'string', default: 'x' } },
    })(value);
    expect(result).toEqual({ ok: true, value: { a: 1 } });
    expect(result.ok && result.value).toBe(value);
    expect(problems({ type: 'number' }, '1')).toEqual([{ path: '', message: 'must be number' }]);
  });

  it('leaves the schema as it was', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
      required: Object.freeze(['a']) as string[],
    });
    const before = JSON.stringify(schema);
    expect(problems(schema, { a: 'x' })).toEqual([]);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it.each<[JsonSchema, unknown, string, string]>([
    [{ type: 'object' }, [], '', 'must be object'],
    [{ type: ['string', 'number'] }, true, '', 'must be string,number'],
    [{ enum: ['a', 1, null] }, 'secret', '', 'must be one of "a", 1, null'],
    [{ const: { a: 1 } }, 'secret', '', 'must be {"a":1}'],
    [{ minimum: 1 }, 0, '', 'must be >= 1'],
    [{ exclusiveMaximum: 1 }, 1, '', 'must be < 1'],
    [{ multipleOf: 2 }, 3, '', 'must be multiple of 2'],
    [{ minLength: 2 }, 'a', '', 'must NOT have fewer than 2 characters'],
    [{ pattern: '^a' }, 'b', '', 'must match pattern "^a"'],
    [{ format: 'email' }, 'b', '', 'must match format "email"'],
    [{ format: 'date-time' }, '2026-07-28', '', 'must match format "date-time"'],
    [{ maxItems: 1 }, [1, 2], '', 'must NOT have more than 1 items'],
    [{ type: 'object', required: ['a'] }, {}, '', "must have required property 'a'"],
    [
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { a: 1, b: 2 },
      'b',
      'is not known here',
    ],
    [
      { type: 'object', properties: { a: {} }, unevaluatedProperties: false },
      { 'say "b"': 2 },
      'say "b"',
      'is not known here',
    ],
    [
      { properties: { a: { items: { properties: { b: { type: 'number' } } } } } },
      { a: [{ b: 1 }, { b: 'x' }] },
      'a.1.b',
      'must be number',
    ],
    [{ properties: { 'a/b~c': { type: 'number' } } }, { 'a/b~c': 'x' }, 'a/b~c', 'must be number'],
    [{ properties: { '~1': { type: 'number' } } }, { '~1': 'x' }, '~1', 'must be number'],
    [{ properties: { größe: { type: 'number' } } }, { größe: 'x' }, 'größe', 'must be number'],
    [{ prefixItems: [{ type: 'string' }] }, [1], '0', 'must be string'],
  ])('says of %j what is wrong with %j: %s %s', (schema, value, path, message) => {
    expect(problems(schema, value)).toEqual([{ path, message }]);
  });

  it('stops at the first problem', () => {
    expect(
      problems(
        { type: 'array', items: { type: 'string' } },
        Array.from({ length: 100 }, () => 1),
      ),
    ).toEqual([{ path: '0', message: 'must be string' }]);
  });

  it('finds duplicates, whatever the order of members, and does not compare each with each', () => {
    const schema = { uniqueItems: true };
    expect(problems(schema, [1, '1', true, null, [1], [[1]], { a: 1 }, { a: 2 }])).toEqual([]);
    for (const items of [
      [1, 1.0],
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      [[], []],
    ]) {
      expect(problems(schema, items)).toEqual([
        { path: '', message: 'must NOT have duplicate items' },
      ]);
    }
    expect(problems({ uniqueItems: false }, [1, 1])).toEqual([]);
    // Two by two this would be five thousand million comparisons.
    expect(
      problems(
        schema,
        Array.from({ length: 100_000 }, (_, a) => ({ a })),
      ),
    ).toEqual([]);
    const deep = JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as unknown;
    expect(problems(schema, [deep])).toEqual([{ path: '', message: 'is nested too deep' }]);
  });

  it('never repeats the value it refuses', () => {
    const secret = 'hunter2';
    for (const schema of [
      { type: 'number' },
      { enum: ['a'] },
      { const: 'a' },
      { pattern: '^a' },
      { format: 'email' },
      { maxLength: 1 },
      { oneOf: [{ type: 'number' }, { type: 'boolean' }] },
    ]) {
      expect(JSON.stringify(problems(schema, secret))).not.toContain(secret);
      expect(problems(schema, secret)).not.toEqual([]);
    }
  });

  it('counts characters, not UTF-16 units', () => {
    expect(problems({ maxLength: 1 }, '😀')).toEqual([]);
  });

  it('takes unknown keywords and formats for annotations', () => {
    expect(problems({ type: 'string', 'x-mcp-header': 'Region', format: 'colour' }, 'x')).toEqual(
      [],
    );
  });

  const OTHERS: readonly (readonly [string, JsonSchema])[] = [
    ['nullable, of OpenAPI', { type: 'string', nullable: true }],
    ['nullable without a type', { nullable: true, minLength: 1, not: { type: 'null' } }],
    ['nullable that is no boolean', { type: 'string', nullable: 'yes' }],
    ['discriminator, of OpenAPI', { type: 'string', discriminator: { propertyName: 'k' } }],
    ['formatMinimum', { type: 'string', format: 'date', formatMinimum: '3000-01-01' }],
    ['formatExclusiveMaximum', { type: 'string', formatExclusiveMaximum: 1 }],
    ['id, of draft-04', { type: 'string', id: 'x' }],
    ['$recursiveRef, of 2019-09', { type: 'string', $recursiveRef: '#' }],
  ];

  it.each(
    OTHERS.flatMap(([name, schema]) =>
      [undefined, DRAFT_07].map((dialect) => [name, dialect ?? '2020-12', schema] as const),
    ),
  )('takes what its dialect does not have for an annotation: %s in %s', (_, dialect, schema) => {
    const head = dialect === DRAFT_07 ? { $schema: DRAFT_07 } : {};
    for (const at of [
      { ...head, properties: { a: schema } },
      { ...head, definitions: { s: schema }, properties: { a: { $ref: '#/definitions/s' } } },
      { ...head, properties: { a: { allOf: [{ anyOf: [schema, false] }] } } },
      { ...head, 'x-types': { s: schema }, properties: { a: { $ref: '#/x-types/s' } } },
    ]) {
      const check = compileJsonSchema(at);
      expect(check({ a: '2026-07-28' }).ok).toBe(true);
      expect(check({ a: null }).ok).toBe(false);
    }
  });

  it('keeps such names where they are data, or names of properties', () => {
    const data = { nullable: true, id: 'x', formatMinimum: 1 };
    for (const schema of [{ const: data }, { enum: [data] }]) {
      expect(problems(schema, { ...data })).toEqual([]);
      expect(problems(schema, {})).not.toEqual([]);
    }
    const schema: JsonSchema = {
      properties: { nullable: { type: 'boolean' }, id: { type: 'string', nullable: true } },
      patternProperties: { '^discriminator$': { type: 'string' } },
      dependentRequired: { nullable: ['id'] },
      dependentSchemas: { id: { required: ['nullable'] } },
      required: ['nullable'],
      additionalProperties: false,
    };
    expect(problems(schema, { nullable: true, id: 'x', discriminator: 'y' })).toEqual([]);
    for (const value of [
      {},
      { nullable: true },
      { nullable: null, id: 'x' },
      { nullable: true, id: null },
      { nullable: true, id: 'x', discriminator: 1 },
    ]) {
      expect(problems(schema, value)).not.toEqual([]);
    }
  });

  it('accepts null where a type says so, whatever nullable says', () => {
    expect(problems({ type: ['string', 'null'], nullable: false }, null)).toEqual([]);
  });

  it.each([undefined, DRAFT_07])('reads multipleOf in decimals: %s', ($schema) => {
    const schema = { ...($schema !== undefined && { $schema }), multipleOf: 0.01 };
    for (const value of [0, 0.07, 1.1, 19.99, -19.99, 1e21]) {
      expect(problems(schema, value)).toEqual([]);
    }
    for (const value of [0.075, 19.995, 0.0700001, 1e-9]) {
      expect(problems(schema, value)).toEqual([{ path: '', message: 'must be multiple of 0.01' }]);
    }
    expect(problems(schema, 'x')).toEqual([]);
    expect(problems({ ...schema, multipleOf: 1e-8 }, 1e308)).toEqual([]);
    expect(problems({ ...schema, multipleOf: 0.123456789 }, 1e308)).not.toEqual([]);
    expect(() => compileJsonSchema({ ...schema, multipleOf: 0 })).toThrow('multipleOf');
  });

  it.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf'])(
    'does not take what every object inherits for the property %s',
    (name) => {
      const schema = { type: 'object', properties: { [name]: { type: 'string' } } };
      expect(problems(schema, {})).toEqual([]);
      expect(problems({ ...schema, required: [name] }, {})).toEqual([
        { path: '', message: `must have required property '${name}'` },
      ]);
    },
  );

  it('refuses __proto__ where only known properties are allowed', () => {
    expect(
      problems({ type: 'object', additionalProperties: false }, JSON.parse('{"__proto__":1}')),
    ).toEqual([{ path: '__proto__', message: 'is not known here' }]);
  });

  it('compiles a recursive schema', () => {
    const tree: JsonSchema = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/node' } },
          additionalProperties: false,
        },
      },
    };
    expect(problems(tree, { next: { next: {} } })).toEqual([]);
    expect(problems(tree, { next: { next: { x: 1 } } })).toEqual([
      { path: 'next.next.x', message: 'is not known here' },
    ]);
  });

  it('compiles two schemas with one $id', () => {
    const first = compileJsonSchema({ $id: 'https://example.com/s', type: 'string' });
    const second = compileJsonSchema({ $id: 'https://example.com/s', type: 'number' });
    expect([first('x').ok, first(1).ok, second('x').ok, second(1).ok]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('a dialect', () => {
  it.each([
    undefined,
    'https://json-schema.org/draft/2020-12/schema',
    'https://json-schema.org/draft/2020-12/schema#',
  ])('of 2020-12 reads prefixItems: %s', ($schema) => {
    const schema = { ...($schema !== undefined && { $schema }), prefixItems: [{ type: 'string' }] };
    expect(problems(schema as JsonSchema, [1])).toEqual([{ path: '0', message: 'must be string' }]);
  });

  it.each([
    DRAFT_07,
    'http://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema',
    'https://json-schema.org/draft-07/schema#',
  ])('of draft-07 reads items as a list, and definitions: %s', ($schema) => {
    const schema = {
      $schema,
      definitions: { name: { type: 'string' } },
      items: [{ $ref: '#/definitions/name' }],
    } as unknown as JsonSchema;
    expect(problems(schema, [1])).toEqual([{ path: '0', message: 'must be string' }]);
  });

  it('of draft-07 does not read prefixItems', () => {
    const schema = {
      $schema: DRAFT_07,
      prefixItems: [{ type: 'string' }],
    } as unknown as JsonSchema;
    expect(problems(schema, [1])).toEqual([]);
  });

  it('of 2020-12 refuses items as a list', () => {
    expect(() => compileJsonSchema({ items: [{}] })).toThrow(
      'schema is invalid: data/items must be object,boolean',
    );
  });

  it.each([
    'https://json-schema.org/draft/2019-09/schema',
    'http://json-schema.org/draft-04/schema#',
    'https://example.com/mine',
    '',
  ])('that is not known is refused by name, with those that are: "%s"', ($schema) => {
    expect(() => compileJsonSchema({ $schema, type: 'object' })).toThrow(
      new Error(`the dialect ${$schema} is not supported; use 2020-12 or draft-07`),
    );
  });

  it('that only looks like a known one is refused alike', () => {
    const $schema = 'https://example.com/2020-12/schema';
    expect(() => compileJsonSchema({ $schema, type: 'object' })).toThrow(
      `the dialect ${$schema} is not supported`,
    );
  });
});

describe('a reference', () => {
  it.each<[string, JsonSchema]>([
    ['https://example.com/x.json', { $ref: 'https://example.com/x.json' }],
    ['http://localhost/x', { properties: { a: { $ref: 'http://localhost/x' } } }],
    ['file:///etc/passwd', { items: { $ref: 'file:///etc/passwd' } }],
    ['http://10.0.0.1/x', { $schema: DRAFT_07, items: { $ref: 'http://10.0.0.1/x' } }],
    ['#/$defs/missing', { $ref: '#/$defs/missing' }],
  ])('that points outside the schema is refused and never fetched: %s', (ref, schema) => {
    expect(() => compileJsonSchema(schema)).toThrow(`can't resolve reference ${ref}`);
  });

  it('does not reach another schema that was compiled before', () => {
    compileJsonSchema({ $id: 'https://example.com/secret', type: 'string' });
    expect(() => compileJsonSchema({ $ref: 'https://example.com/secret' })).toThrow(
      "can't resolve reference https://example.com/secret",
    );
  });
});

describe('a schema that is none', () => {
  it.each<[string, unknown, string]>([
    ['an unknown type', { type: 'text' }, 'schema is invalid: data/type'],
    ['a negative length', { minLength: -1 }, 'schema is invalid: data/minLength must be >= 0'],
    ['properties that are a list', { properties: [] }, 'data/properties must be object'],
    ['a broken pattern', { pattern: '(' }, 'Invalid regular expression'],
    ['no choice', { enum: [] }, 'enum must have non-empty array'],
  ])('is refused: %s', (_, schema, message) => {
    expect(() => compileJsonSchema(schema as JsonSchema)).toThrow(message);
  });

  it('is refused: one that would be checked later than it is asked', () => {
    expect(() => compileJsonSchema({ $async: true, type: 'string' })).toThrow();
  });

  it('is refused: a property that cannot be checked', () => {
    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonSchema;
    expect(() => compileJsonSchema(schema)).toThrow();
  });
});
