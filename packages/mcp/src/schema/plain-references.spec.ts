import type { JsonSchema } from './json-schema.js';
import { compileJsonSchema } from './json-schema.validator.js';

/** Whether a schema accepts each of the values. */
function verdicts(schema: JsonSchema, ...values: unknown[]): boolean[] {
  const check = compileJsonSchema(schema);
  return values.map((value) => check(value).ok);
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const TEXT: JsonSchema = { type: 'string' };

/** Accepts `{ b: { b: { a: 'text' } } }` and the like. */
function recursive($ref: string, rest: JsonSchema = {}): JsonSchema {
  return { ...rest, properties: { a: TEXT, b: { $ref } }, additionalProperties: false };
}

describe('A reference', () => {
  it.each<[string, JsonSchema]>([
    ['the root', recursive('#')],
    ['the root in draft-07', recursive('#', { $schema: DRAFT_07 })],
    ['the root by its $id', recursive('https://example.com/me', { $id: 'https://example.com/me' })],
    ['the root by a relative $id', recursive('me', { $id: 'https://example.com/me' })],
    [
      'the root that has a urn',
      recursive('#', { $id: 'urn:uuid:deadbeef-1234-ffff-ffff-4321feebdaed' }),
    ],
  ])('may lead to %s', (_, schema) => {
    expect(
      verdicts(schema, { b: { b: { a: 'x' } } }, { b: { b: { a: 1 } } }, { b: { c: 1 } }),
    ).toEqual([true, false, false]);
  });

  it.each<[string, string, JsonSchema]>([
    ['$defs', '#/$defs/text', { $defs: { text: TEXT } }],
    ['an $anchor', '#text', { $defs: { x: { $anchor: 'text', ...TEXT } } }],
    ['a $dynamicAnchor', '#text', { $defs: { x: { $dynamicAnchor: 'text', ...TEXT } } }],
    ['a schema with an $id', 'text', { $defs: { x: { $id: 'text', ...TEXT } } }],
    [
      'a place in a schema with an $id',
      'x#/$defs/text',
      { $defs: { x: { $id: 'x', $defs: { text: TEXT } } } },
    ],
    [
      'an anchor in a schema with an $id',
      'x#text',
      { $defs: { x: { $id: 'x', $defs: { y: { $anchor: 'text', ...TEXT } } } } },
    ],
    ['another property', '#/properties/b', { properties: { b: TEXT } }],
    ['a member of a list', '#/$defs/x/allOf/1', { $defs: { x: { allOf: [true, TEXT] } } }],
    ['a name that is escaped', '#/$defs/a~1b~0c%25', { $defs: { 'a/b~c%': TEXT } }],
    ['what an unknown keyword holds', '#/x-types/text', { 'x-types': { text: TEXT } }],
    ['definitions', '#/definitions/text', { definitions: { text: TEXT } }],
    [
      'a name in draft-07',
      '#text',
      { $schema: DRAFT_07, definitions: { x: { $id: '#text', ...TEXT } } },
    ],
  ])('may lead to %s', (_, $ref, rest) => {
    const schema: JsonSchema = { ...rest, properties: { ...rest.properties, a: { $ref } } };
    expect(verdicts(schema, { a: 'x' }, { a: 1 })).toEqual([true, false]);
  });

  it('may lead to true and false', () => {
    const schema = {
      $defs: { all: true, none: false },
      properties: { a: { $ref: '#/$defs/all' }, b: { $ref: '#/$defs/none' } },
    } as unknown as JsonSchema;
    expect(verdicts(schema, { a: 1 }, { b: 1 })).toEqual([true, false]);
  });

  it('may lead to the schema of schemas, which is there already', () => {
    const schema = { properties: { a: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } };
    expect(verdicts(schema, { a: TEXT }, { a: { type: 'text' } })).toEqual([true, false]);
  });

  it('counts beside other keywords in 2020-12, and alone in draft-07', () => {
    const schema: JsonSchema = {
      definitions: { text: TEXT },
      allOf: [{ $ref: '#/definitions/text', maxLength: 1, allOf: [{ pattern: '^a' }] }],
    };
    expect(verdicts(schema, 'a', 'aa', 'b', 1)).toEqual([true, false, false, false]);
    expect(verdicts({ $schema: DRAFT_07, ...schema }, 'a', 'aa', 'b', 1)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('shows unevaluatedProperties what it has seen', () => {
    const schema: JsonSchema = {
      $defs: { named: { properties: { name: TEXT } } },
      $ref: '#/$defs/named',
      properties: { age: { type: 'integer' } },
      unevaluatedProperties: false,
    };
    expect(verdicts(schema, { name: 'x', age: 1 }, { name: 'x', other: 1 })).toEqual([true, false]);
  });

  it.each<[string, JsonSchema]>([
    ['https://example.com/x', { $defs: { unused: { $ref: 'https://example.com/x' } } }],
    ['https://example.com/x', { properties: { a: { $dynamicRef: 'https://example.com/x' } } }],
    ['file:///etc/passwd', { properties: { a: { $ref: 'file:///etc/passwd' } } }],
    ['http://[', { properties: { a: { $ref: 'http://[' } } }],
    ['other.json', { $id: 'https://example.com/me', not: { $ref: 'other.json' } }],
    ['#nowhere', { allOf: [{ $dynamicRef: '#nowhere' }] }],
    ['#/$defs/a/toString', { $defs: { a: {} }, items: { $ref: '#/$defs/a/toString' } }],
    ['#/default', { default: TEXT, items: { $ref: '#/default' } }],
    ['#%', { items: { $ref: '#%' } }],
    ['#x', { $schema: DRAFT_07, $defs: { a: { $anchor: 'x' } }, items: { $ref: '#x' } }],
  ])('that leads out of the schema is refused, used or not: %s', (ref, schema) => {
    expect(() => compileJsonSchema(schema)).toThrow(
      new Error(
        `can't resolve reference ${ref}: it leads out of the schema, and nothing is fetched`,
      ),
    );
  });

  it('is data where it is no keyword', () => {
    const data = { $ref: 'https://example.com/x' };
    const schema = { const: data, default: data, examples: [data], 'x-see': data };
    expect(verdicts(schema, data, {})).toEqual([true, false]);
    expect(verdicts({ properties: { $ref: TEXT } }, { $ref: 'x' }, { $ref: 1 })).toEqual([
      true,
      false,
    ]);
  });

  it.each<[string, JsonSchema]>([
    [
      'two schemas in it have the anchor x',
      { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x' } } },
    ],
    ['two schemas in it have the $id "x"', { $defs: { a: { $id: 'x' }, b: { $id: 'x' } } }],
  ])('is refused where it could lead to either: %s', (message, schema) => {
    expect(() => compileJsonSchema(schema)).toThrow(new Error(message));
  });

  it('leaves no schema behind that another could reach', () => {
    compileJsonSchema({ $defs: { a: { $id: 'https://example.com/a', ...TEXT } } });
    expect(() => compileJsonSchema({ items: { $ref: 'https://example.com/a' } })).toThrow(
      "can't resolve reference",
    );
    expect(() =>
      compileJsonSchema({ $defs: { a: { $id: 'https://example.com/a', type: 'number' } } }),
    ).not.toThrow();
  });
});

describe('A dynamic reference', () => {
  const tree: JsonSchema = {
    $id: 'https://example.com/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { data: {}, children: { type: 'array', items: { $dynamicRef: '#node' } } },
  };

  it('leads to the schema it stands in, when nobody extends it', () => {
    expect(
      verdicts(tree, { children: [{ children: [] }] }, { children: [{ children: 1 }] }),
    ).toEqual([true, false]);
  });

  it('leads to the schema that extends it', () => {
    const strict: JsonSchema = {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
      $defs: { tree },
    };
    expect(verdicts(strict, { children: [{ data: 1 }] }, { children: [{ daat: 1 }] })).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['an anchor in $defs', '#text'],
    ['a place', '#/$defs/x'],
  ])('leads to %s', (_, $dynamicRef) => {
    const schema: JsonSchema = {
      $defs: { x: { $dynamicAnchor: 'text', ...TEXT } },
      properties: { a: { $dynamicRef } },
    };
    expect(verdicts(schema, { a: 'x' }, { a: 1 })).toEqual([true, false]);
  });

  it('makes a list that takes the type of its items from outside', () => {
    const list: JsonSchema = {
      $id: 'list',
      type: 'array',
      items: { $dynamicRef: '#item' },
      $defs: { any: { $dynamicAnchor: 'item' } },
    };
    const of = (type: string): JsonSchema => ({
      $id: `https://example.com/${type}`,
      $ref: 'list',
      $defs: { item: { $dynamicAnchor: 'item', type }, list },
    });
    expect(verdicts(of('string'), ['x'], [1])).toEqual([true, false]);
    expect(verdicts(of('number'), ['x'], [1])).toEqual([false, true]);
    expect(verdicts({ ...list, $id: 'https://example.com/list' }, ['x'], [1], 1)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('does not remember the scope of a neighbour', () => {
    const chain = (name: string): JsonSchema => ({
      $id: name,
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { next: { $dynamicRef: '#node' }, [name]: TEXT },
      additionalProperties: false,
    });
    const schema: JsonSchema = {
      $id: 'https://example.com/both',
      properties: { a: { $ref: 'x' }, b: { $ref: 'y' } },
      $defs: { x: chain('x'), y: chain('y') },
    };
    expect(
      verdicts(
        schema,
        { a: { next: { x: '1' } }, b: { next: { y: '1' } } },
        { a: {}, b: { next: { x: '1' } } },
      ),
    ).toEqual([true, false]);
  });

  it('means nothing in draft-07', () => {
    const schema: JsonSchema = {
      $schema: DRAFT_07,
      definitions: { x: TEXT },
      properties: { a: { $dynamicRef: '#/definitions/x' } },
    };
    expect(verdicts(schema, { a: 1 })).toEqual([true]);
  });

  it('may not unfold without end', () => {
    const names = Array.from({ length: 12 }, (_, index) => `r${index}`);
    const $defs = Object.fromEntries(
      names.map((name) => [
        name,
        {
          $id: name,
          anyOf: names.map(($ref) => ({ $ref })),
          $defs: { a: { $dynamicAnchor: name }, shared: { $dynamicAnchor: 'shared' } },
        },
      ]),
    );
    expect(() =>
      compileJsonSchema({
        $id: 'https://example.com/all',
        anyOf: names.map(($ref) => ({ $ref })),
        $defs,
      }),
    ).toThrow(new Error('its $dynamicRefs unfold to too many schemas'));
  });
});
