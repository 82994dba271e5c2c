import type { FieldSchema } from './field-schema.js';
import { schemaFields } from './schema-fields.js';

const fieldOf = (schema: FieldSchema) => schemaFields({ properties: { it: schema } })[0];

describe('schemaFields', () => {
  it('keeps the order, the labels and what is required', () => {
    const fields = schemaFields({
      properties: {
        b: { type: 'string', title: 'B', description: 'The second letter' },
        a: { type: 'string' },
      },
      required: ['a'],
    });
    expect(fields).toMatchObject([
      { name: 'b', label: 'B', description: 'The second letter', required: false },
      { name: 'a', label: 'a', required: true },
    ]);
  });

  it('has no fields for a schema without properties', () => {
    expect(schemaFields({})).toEqual([]);
  });

  it.each<[FieldSchema, object]>([
    [
      { type: 'string', format: 'email', minLength: 3, maxLength: 9, default: 'a@b.c' },
      { kind: 'text', format: 'email', minLength: 3, maxLength: 9, default: 'a@b.c' },
    ],
    [
      { type: 'integer', minimum: 1, maximum: 3, default: 2 },
      { kind: 'integer', minimum: 1, maximum: 3, default: 2 },
    ],
    [{ type: 'number' }, { kind: 'number' }],
    [
      { type: 'boolean', default: false },
      { kind: 'boolean', default: false },
    ],
    [
      { type: 'string', enum: ['a', 'b'], default: 'b' },
      {
        kind: 'choice',
        choices: [
          { value: 'a', title: 'a' },
          { value: 'b', title: 'b' },
        ],
        default: 'b',
      },
    ],
    [{ enum: ['a'] }, { kind: 'choice' }],
    [
      { type: 'string', oneOf: [{ const: 'a', title: 'The first' }] },
      { kind: 'choice', choices: [{ value: 'a', title: 'The first' }] },
    ],
    [
      { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
      { kind: 'choices', minItems: 1, maxItems: 2, default: ['a'] },
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'The first' }] } },
      { kind: 'choices', choices: [{ value: 'a', title: 'The first' }] },
    ],
    [{ type: 'array', items: { type: 'string' } }, { kind: 'json' }],
    [{ type: 'object' }, { kind: 'json' }],
    [{}, { kind: 'json' }],
  ])('reads %j', (schema, field) => {
    expect(fieldOf(schema)).toMatchObject(field);
  });
});
