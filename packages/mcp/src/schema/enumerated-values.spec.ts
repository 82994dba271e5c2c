import { z } from 'zod';
import { enumeratedValues } from './enumerated-values.js';
import { propertyOf } from './property-of.js';
import type { JsonSchema } from './json-schema.js';
import { compileSchema } from './schema-compiler.js';

const ROOT: JsonSchema = {
  $defs: {
    Size: { enum: ['S', 'L'] },
    'a/b~c': { const: 'odd' },
    Loop: { $ref: '#/$defs/Loop' },
  },
};

describe('enumeratedValues', () => {
  it.each([
    ['an enum, in order', { enum: ['b', 'a'] }, ['b', 'a']],
    ['numbers and booleans as text, without null', { enum: [2, null, true, {}] }, ['2', 'true']],
    ['a constant', { const: 'only' }, ['only']],
    ['a boolean', { type: 'boolean' }, ['true', 'false']],
    ['a boolean or nothing', { type: ['boolean', 'null'] }, ['true', 'false']],
    ['alternatives', { anyOf: [{ const: 'a' }, { enum: ['b', 'a'] }] }, ['a', 'b']],
    ['titled alternatives', { oneOf: [{ const: 'a', title: 'A' }] }, ['a']],
    ['what text may also be', { anyOf: [{ enum: ['a'] }, { type: 'string' }] }, ['a']],
    ['a single part', { allOf: [{ $ref: '#/$defs/Size' }] }, ['S', 'L']],
    ['a reference', { $ref: '#/$defs/Size' }, ['S', 'L']],
    ['a reference with escapes', { $ref: '#/$defs/a~1b~0c' }, ['odd']],
  ] as [string, JsonSchema, string[]][])('finds %s', (_, schema, values) => {
    expect(enumeratedValues(schema, ROOT)).toEqual(values);
  });

  it.each([
    ['text', { type: 'string' }],
    ['text or a boolean', { type: ['string', 'boolean'] }],
    ['parts that narrow each other', { allOf: [{ enum: ['a'] }, { enum: ['b'] }] }],
    ['a reference in a circle', { $ref: '#/$defs/Loop' }],
    ['a reference to nothing', { $ref: '#/$defs/Nothing' }],
    ['a reference to what every object inherits', { $ref: '#/constructor' }],
    ['a reference elsewhere', { $ref: 'https://example.com/schema' }],
    ['an alternative that is no schema', { anyOf: [null, true] }],
  ] as [string, JsonSchema][])('finds nothing in %s', (_, schema) => {
    expect(enumeratedValues(schema, ROOT)).toEqual([]);
  });

  it('finds what zod makes of enums, unions and optional ones', () => {
    const { json } = compileSchema(
      z.object({
        size: z.enum(['S', 'L']).optional(),
        tone: z.union([z.literal('warm'), z.literal('cold')]),
        pages: z.literal([1, 2]),
      }),
      'input',
    );
    const valuesOf = (name: string) => enumeratedValues(propertyOf(json, name) ?? {}, json);
    expect(valuesOf('size')).toEqual(['S', 'L']);
    expect(valuesOf('tone')).toEqual(['warm', 'cold']);
    expect(valuesOf('pages')).toEqual(['1', '2']);
  });
});
