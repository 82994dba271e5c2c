import type { Field } from './field.js';
import type { FieldSchema } from './field-schema.js';
import { parseField } from './parse-field.js';
import { schemaFields } from './schema-fields.js';

const field = (schema: FieldSchema, required = true): Field =>
  schemaFields({ properties: { it: schema }, required: required ? ['it'] : [] })[0] as Field;
const parse = (schema: FieldSchema, line: string) => parseField(field(schema), line);

const choice: FieldSchema = {
  type: 'string',
  oneOf: [
    { const: 'free', title: 'For nothing' },
    { const: '1', title: 'For one' },
  ],
};
const choices: FieldSchema = {
  type: 'array',
  items: { enum: ['red', 'green', 'blue'] },
  minItems: 1,
  maxItems: 2,
};

describe('parseField', () => {
  it.each<[FieldSchema, string, unknown]>([
    [{ type: 'string' }, '  Ada  ', 'Ada'],
    [{ type: 'string', minLength: 2, maxLength: 2 }, '👍👍', '👍👍'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'ada', 'ada'],
    [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'string', format: 'uri' }, 'https://example.com/a', 'https://example.com/a'],
    [{ type: 'string', format: 'date' }, '2028-02-29', '2028-02-29'],
    [{ type: 'string', format: 'date-time' }, '2026-07-28T12:00:00Z', '2026-07-28T12:00:00Z'],
    [{ type: 'string', format: 'uuid' }, 'whatever', 'whatever'],
    [{ type: 'integer', minimum: 1, maximum: 3 }, '3', 3],
    [{ type: 'number' }, '-1.5', -1.5],
    [{ type: 'boolean' }, 'Y', true],
    [{ type: 'boolean' }, 'no', false],
    [{ enum: ['warm', 'formal'] }, 'formal', 'formal'],
    [{ enum: ['warm', 'formal'] }, '2', 'formal'],
    [choice, 'FREE', 'free'],
    [choice, 'for one', '1'],
    // A value comes before a number of the list.
    [choice, '1', '1'],
    [choice, '2', '1'],
    [choices, 'red, 3', ['red', 'blue']],
    [{ type: 'object' }, '{"a": [1]}', { a: [1] }],
  ])('of %j takes %j', (schema, line, value) => {
    expect(parse(schema, line)).toEqual({ ok: true, value });
  });

  it.each<[FieldSchema, string, string]>([
    [
      { type: 'string', title: 'Name', minLength: 2 },
      'A',
      '"Name" must have at least 2 characters, not 1.',
    ],
    [{ type: 'string', maxLength: 2 }, 'Ada', '"it" must have at most 2 characters, not 3.'],
    [{ type: 'string', pattern: '^[a-z]+$' }, 'Ada', '"it" must match ^[a-z]+$.'],
    [
      { type: 'string', format: 'email' },
      'ada',
      '"it" must be an e-mail address such as ada@example.com.',
    ],
    [
      { type: 'string', format: 'email' },
      'ada@example',
      '"it" must be an e-mail address such as ada@example.com.',
    ],
    [
      { type: 'string', format: 'uri' },
      'example.com',
      '"it" must be a URI such as https://example.com.',
    ],
    [{ type: 'string', format: 'date' }, '2027-02-29', '"it" must be a date such as 2026-07-28.'],
    [{ type: 'string', format: 'date' }, '28.7.2026', '"it" must be a date such as 2026-07-28.'],
    [
      { type: 'string', format: 'date-time' },
      '2026-07-28 12:00',
      '"it" must be a date and time such as 2026-07-28T12:00:00Z.',
    ],
    [
      { type: 'string', format: 'date-time' },
      '2026-02-30T12:00:00Z',
      '"it" must be a date and time such as 2026-07-28T12:00:00Z.',
    ],
    [{ type: 'integer' }, '1.5', '"it" must be a whole number.'],
    [{ type: 'integer' }, 'one', '"it" must be a whole number.'],
    [{ type: 'integer', minimum: 1 }, '0', '"it" must be at least 1.'],
    [{ type: 'integer', maximum: 3 }, '4', '"it" must be at most 3.'],
    [{ type: 'number' }, 'Infinity', '"it" must be a number.'],
    [{ type: 'boolean' }, 'perhaps', '"it" must be yes or no.'],
    [{ enum: ['warm', 'formal'] }, '3', '"it" must be 1 to 2, or one of warm, formal.'],
    [{ enum: ['warm', 'formal'] }, '0', '"it" must be 1 to 2, or one of warm, formal.'],
    [{ enum: ['warm'] }, 'cold', '"it" must be 1 (warm).'],
    [choices, 'red, pink', '"it" must be 1 to 3, or one of red, green, blue, with commas between.'],
    [choices, 'red, 1', '"it" must not repeat a value.'],
    [choices, ',', '"it" must have at least 1 of the values.'],
    [choices, '1,2,3', '"it" must have at most 2 of the values.'],
    [{ type: 'object' }, '{a: 1}', '"it" must be JSON, such as ["a", "b"] or {"a": 1}.'],
  ])('of %j refuses %j', (schema, line, problem) => {
    expect(parse(schema, line)).toEqual({ ok: false, problem });
  });

  it('takes the default for an empty line', () => {
    expect(parse({ type: 'boolean', default: false }, '')).toEqual({ ok: true, value: false });
    expect(parse({ type: 'integer', default: 0 }, ' ')).toEqual({ ok: true, value: 0 });
    expect(parse({ ...choices, default: ['red'] }, '')).toEqual({ ok: true, value: ['red'] });
  });

  it('leaves an optional field out for an empty line', () => {
    expect(parseField(field({ type: 'string' }, false), '')).toEqual({
      ok: true,
      value: undefined,
    });
  });

  it('wants an answer for a required field without a default', () => {
    expect(parse({ type: 'string' }, ' ')).toEqual({ ok: false, problem: '"it" is needed.' });
  });
});
