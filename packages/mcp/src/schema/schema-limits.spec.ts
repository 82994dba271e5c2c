import { checkSchemaLimits, MAX_SCHEMA_DEPTH, MAX_SCHEMA_NODES } from './schema-limits.js';
import type { JsonSchema } from './json-schema.js';
import { compileJsonSchema } from './json-schema.validator.js';

function nested(levels: number): JsonSchema {
  return levels === 1 ? {} : { not: nested(levels - 1) };
}

/** A schema of so many objects and lists. */
function wide(nodes: number): JsonSchema {
  return { anyOf: Array.from({ length: nodes - 2 }, () => ({})) };
}

describe('The limits of a schema', () => {
  it.each<[string, JsonSchema]>([
    ['the deepest', nested(MAX_SCHEMA_DEPTH)],
    ['the largest', wide(MAX_SCHEMA_NODES)],
    ['one with many words', { enum: Array.from({ length: 100_000 }, (_, index) => index) }],
  ])('leave in %s', (_, schema) => {
    expect(() => checkSchemaLimits(schema)).not.toThrow();
  });

  const circular: JsonSchema = { type: 'object', properties: {} };
  circular.properties = { self: circular };

  it.each<[string, JsonSchema, string]>([
    ['a deeper one', nested(MAX_SCHEMA_DEPTH + 1), 'it is nested more than 64 levels deep'],
    ['one without end', circular, 'it is nested more than 64 levels deep'],
    ['a larger one', wide(MAX_SCHEMA_NODES + 1), 'it consists of more than 1000 objects and lists'],
  ])('keep out %s', (_, schema, message) => {
    expect(() => checkSchemaLimits(schema)).toThrow(new Error(message));
    expect(() => compileJsonSchema(schema)).toThrow(new Error(message));
  });

  it('are such that the compiler holds what they leave in', () => {
    const properties = Object.fromEntries(
      Array.from({ length: MAX_SCHEMA_NODES - 2 }, (_, index) => [`p${index}`, { type: 'string' }]),
    );
    const check = compileJsonSchema({ type: 'object', properties });
    expect([check({ p0: 'x' }).ok, check({ p1: 1 }).ok]).toEqual([true, false]);
    expect(() => compileJsonSchema(nested(MAX_SCHEMA_DEPTH))).not.toThrow();
  });
});
