import { z } from 'zod';
import { isStandardSchema } from './standard-schema.js';

describe('isStandardSchema', () => {
  it.each<[string, unknown, boolean]>([
    ['a zod schema', z.string(), true],
    ['an object with ~standard', { '~standard': {} }, true],
    ['a function with ~standard', Object.assign(() => 1, { '~standard': {} }), true],
    ['JSON Schema', { type: 'object' }, false],
    ['a class', class {}, false],
    ['null', null, false],
    ['undefined', undefined, false],
    ['text', '~standard', false],
  ])('of %s is told', (_, source, expected) => {
    expect(isStandardSchema(source)).toBe(expected);
  });
});
