import { hasHeaders, headerParams } from './header-params.js';
import type { JsonSchema } from './json-schema.js';

const REGION: JsonSchema = { type: 'string', 'x-mcp-header': 'Region' };

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties };
}

function named(name: unknown): JsonSchema {
  return object({ region: { type: 'string', 'x-mcp-header': name } });
}

describe('The headers of a schema', () => {
  it('are read with their path and type, in order, however deep', () => {
    const schema = object({
      region: REGION,
      query: { type: 'string' },
      where: object({
        shard: { type: 'integer', 'x-mcp-header': 'Shard' },
        how: object({ dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } }),
      }),
    });
    expect(headerParams(schema)).toEqual([
      { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
      { header: 'Mcp-Param-Shard', path: ['where', 'shard'], type: 'integer' },
      { header: 'Mcp-Param-Dry-Run', path: ['where', 'how', 'dry'], type: 'boolean' },
    ]);
  });

  it('are none where there are none', () => {
    expect(headerParams({ type: 'object' })).toEqual([]);
    expect(headerParams(object({ a: true as unknown as JsonSchema }))).toEqual([]);
  });

  it.each(['Region', 'a', '0', "!#$%&'*+-.^_`|~"])('may be called %s', (name) => {
    expect(headerParams(named(name))).toHaveLength(1);
  });

  it.each([
    '',
    ' ',
    'My Region',
    'Region:Primary',
    'Région',
    'a\r\nX-Evil: 1',
    'a\n',
    'a\t',
    'a/b',
    '(a)',
    5,
    null,
    true,
    ['Region'],
  ])('may not be called %j', (name) => {
    expect(() => headerParams(named(name))).toThrow(
      new Error(
        `the x-mcp-header of region is ${JSON.stringify(name)}, which is no name of a header; use letters, digits and "-"`,
      ),
    );
  });

  it.each<[unknown, string]>([
    ['number', '"number"'],
    ['object', '"object"'],
    ['array', '"array"'],
    ['null', '"null"'],
    [['string', 'null'], '["string","null"]'],
    [['string'], '["string"]'],
    [undefined, 'missing'],
  ])('carry no value of type %j', (type, given) => {
    const property = { ...REGION, type } as JsonSchema;
    expect(() => headerParams(object({ where: object({ region: property }) }))).toThrow(
      new Error(
        `where.region cannot travel in a header: its "type" is ${given}, and only "string", "integer" and "boolean" can`,
      ),
    );
  });

  it.each([
    ['Region', 'Region'],
    ['Region', 'REGION'],
    ['x-y', 'X-Y'],
  ])('are told apart, whatever the case: %s and %s', (one, other) => {
    const schema = object({
      a: { type: 'string', 'x-mcp-header': one },
      b: object({ c: { type: 'string', 'x-mcp-header': other } }),
    });
    expect(() => headerParams(schema)).toThrow(
      new Error(`b.c and a share the header Mcp-Param-${other}; case does not tell headers apart`),
    );
  });

  it.each<[string, JsonSchema]>([
    ['the root', { ...REGION }],
    ['items', { items: object({ region: REGION }) }],
    ['the items of a property', object({ list: { type: 'array', items: REGION } })],
    ['prefixItems', object({ list: { prefixItems: [REGION] } })],
    ['contains', object({ list: { contains: REGION } })],
    ['oneOf', { type: 'object', oneOf: [object({ region: REGION })] }],
    ['anyOf', object({ region: { anyOf: [REGION] } })],
    ['allOf', { type: 'object', allOf: [object({ region: REGION })] }],
    ['not', { type: 'object', not: object({ region: REGION }) }],
    ['if', { type: 'object', if: object({ region: REGION }) }],
    ['then', { type: 'object', then: object({ region: REGION }) }],
    ['else', { type: 'object', else: object({ region: REGION }) }],
    [
      '$defs behind a $ref',
      {
        ...object({ where: { $ref: '#/$defs/where' } }),
        $defs: { where: object({ region: REGION }) },
      },
    ],
    ['definitions', { type: 'object', definitions: { region: REGION } }],
    ['additionalProperties', { type: 'object', additionalProperties: REGION }],
    ['patternProperties', { type: 'object', patternProperties: { '^r': REGION } }],
    ['propertyNames', { type: 'object', propertyNames: REGION }],
    ['dependentSchemas', { type: 'object', dependentSchemas: { a: object({ region: REGION }) } }],
    ['unevaluatedProperties', { type: 'object', unevaluatedProperties: REGION }],
    ['a place that only a $ref can reach', { type: 'object', 'x-shared': { region: REGION } }],
  ])('are not read from %s', (_, schema) => {
    expect(() => headerParams(schema)).toThrow(
      'x-mcp-header "Region" stands where no header can be read from',
    );
  });

  it('are not looked for in data, nor in the names of properties', () => {
    const data = { 'x-mcp-header': 'Region' };
    const schema = object({
      'x-mcp-header': { type: 'string' },
      region: { type: 'object', default: data, const: data, enum: [data], examples: [data] },
      default: REGION,
    });
    expect(headerParams(schema)).toEqual([
      { header: 'Mcp-Param-Region', path: ['default'], type: 'string' },
    ]);
  });
});

it.each<[JsonSchema, boolean]>([
  [{ type: 'object' }, false],
  [{ type: 'object', properties: { 'x-mcp-header': { type: 'string' } } }, false],
  [{ type: 'object', properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }, true],
  // Rightly or not.
  [{ type: 'object', $defs: { a: { 'x-mcp-header': 5 } } }, true],
])('a schema has headers, or none: %j', (schema, expected) => {
  expect(hasHeaders(schema)).toBe(expected);
});
