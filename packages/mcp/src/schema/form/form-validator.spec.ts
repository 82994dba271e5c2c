import type { PrimitiveSchema, RequestedSchema } from '../../protocol/index.js';
import { FormBuilder } from './form-builder.js';
import { fieldChoices, fieldProblem, validateForm } from './form-validator.js';

const builder = (): FormBuilder => new FormBuilder();

/** The property `p` of a chain. */
function field(form: unknown): PrimitiveSchema {
  return (form as FormBuilder).build().properties['p'] as PrimitiveSchema;
}

describe('validateForm', () => {
  const form = builder()
    .string('name', { title: 'Your name', minLength: 2 })
    .integer('age', { optional: true })
    .boolean('news', { default: false })
    .choice('plan', ['free', 'pro'], { optional: true, default: 'free' })
    .choices('tags', ['a', 'b'], { default: ['a'] })
    .build();

  it('accepts content that fits', () => {
    const content = { name: 'Ada', age: 36, news: true, plan: 'pro', tags: ['b', 'a'] };
    expect(validateForm(form, content)).toEqual({ ok: true, content });
  });

  it('fills defaults, and leaves out what is optional and absent', () => {
    expect(validateForm(form, { name: 'Ada' })).toEqual({
      ok: true,
      content: { name: 'Ada', news: false, plan: 'free', tags: ['a'] },
    });
  });

  it('drops properties that the form does not have', () => {
    const content = JSON.parse('{"name":"Ada","other":1,"__proto__":{"age":9}}') as object;
    const result = validateForm(form, { ...content });
    expect(result).toEqual({
      ok: true,
      content: { name: 'Ada', news: false, plan: 'free', tags: ['a'] },
    });
  });

  it('gives every reason, with the title where there is one', () => {
    expect(validateForm(form, { age: 1.5, news: 'yes', plan: 'other', tags: ['a', 'c'] })).toEqual({
      ok: false,
      reasons: [
        '"Your name" is required',
        '"age" must be a whole number',
        '"news" must be true or false',
        '"plan" must be one of "free", "pro"',
        '"tags" must be a list of "a", "b"',
      ],
    });
  });

  it('reads null as a wrong answer, not as a missing one', () => {
    expect(validateForm(form, { name: 'Ada', age: null, plan: null })).toEqual({
      ok: false,
      reasons: ['"age" must be a whole number', '"plan" must be text'],
    });
  });

  it('reads an undefined value as a missing one', () => {
    expect(validateForm(form, { name: undefined })).toEqual({
      ok: false,
      reasons: ['"Your name" is required'],
    });
  });

  it('changes neither the content nor the form', () => {
    const content = Object.freeze({ name: 'Ada', other: 1 });
    const before = JSON.stringify(form);
    validateForm(form, content);
    expect(content).toEqual({ name: 'Ada', other: 1 });
    expect(JSON.stringify(form)).toBe(before);
  });

  it('gives each answer a default list of its own', () => {
    const own = builder()
      .choices('tags', ['a', 'b'], { default: ['a'] })
      .build();
    const first = validateForm(own, {});
    if (!first.ok) throw new Error('was refused');
    (first.content['tags'] as string[]).push('b');
    expect(validateForm(own, {})).toEqual({ ok: true, content: { tags: ['a'] } });
  });

  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    'does not take what every object inherits for an answer to %s',
    (name) => {
      const required = { type: 'object', properties: { [name]: { type: 'string' } } } as const;
      const form: RequestedSchema = { ...required, required: [name] };
      expect(validateForm(form, {})).toEqual({ ok: false, reasons: [`"${name}" is required`] });
      expect(validateForm(required, {})).toEqual({ ok: true, content: {} });
      expect(validateForm(form, { [name]: 'x' })).toEqual({ ok: true, content: { [name]: 'x' } });
    },
  );

  it('keeps -0 and the order of the form', () => {
    const form = builder().number('b').number('a').build();
    const result = validateForm(form, { a: 1, b: -0 });
    if (!result.ok) throw new Error('was refused');
    expect(Object.entries(result.content)).toEqual([
      ['b', -0],
      ['a', 1],
    ]);
  });

  it('answers a form without properties with empty content', () => {
    expect(validateForm({ type: 'object', properties: {} }, { a: 1 })).toEqual({
      ok: true,
      content: {},
    });
  });
});

describe('fieldProblem', () => {
  const text = field(builder().string('p', { minLength: 2, maxLength: 3 }));
  const integer = field(builder().integer('p', { minimum: 1, maximum: 3 }));
  const number = field(builder().number('p', { minimum: 0.5, maximum: 1.5 }));
  const choice = field(builder().choice('p', ['a', 'say "b"']));
  const titled = field(builder().choice('p', [{ value: 'a', title: 'A' }]));
  const choices = field(builder().choices('p', ['a', 'b', 'c'], { minItems: 1, maxItems: 2 }));
  const titledChoices = field(builder().choices('p', [{ value: 'a', title: 'A' }]));

  it.each<[PrimitiveSchema, unknown]>([
    [text, 'ab'],
    [text, 'abc'],
    [text, '😀😀😀'],
    [field(builder().string('p')), ''],
    [integer, 1],
    [integer, 3],
    [field(builder().integer('p')), Number.MAX_SAFE_INTEGER],
    [field(builder().integer('p')), -0],
    [number, 0.5],
    [number, 1.5],
    [field(builder().number('p')), 1e308],
    [field(builder().boolean('p')), false],
    [choice, 'a'],
    [titled, 'a'],
    [choices, ['c', 'a']],
    [field(builder().choices('p', ['a'])), []],
    [titledChoices, ['a']],
  ])('finds nothing wrong in %j: %j', (schema, value) => {
    expect(fieldProblem(schema, value)).toBeUndefined();
  });

  it.each<[PrimitiveSchema, unknown, string]>([
    [text, 1, 'must be text'],
    [text, null, 'must be text'],
    [text, ['ab'], 'must be text'],
    [text, 'a', 'must have at least 2 characters'],
    [text, '😀', 'must have at least 2 characters'],
    [text, '', 'must have at least 2 characters'],
    [text, 'abcd', 'must have at most 3 characters'],
    [integer, '1', 'must be a whole number'],
    [integer, 1.5, 'must be a whole number'],
    [integer, true, 'must be a whole number'],
    [integer, 2 ** 53, 'must be a whole number'],
    [integer, 1e300, 'must be a whole number'],
    [integer, Number.NaN, 'must be a whole number'],
    [integer, 0, 'must be at least 1'],
    [integer, 4, 'must be at most 3'],
    [number, '1', 'must be a number'],
    [number, Number.NaN, 'must be a number'],
    [number, Number.POSITIVE_INFINITY, 'must be a number'],
    [number, 0.49, 'must be at least 0.5'],
    [number, 1.51, 'must be at most 1.5'],
    [field(builder().boolean('p')), 'true', 'must be true or false'],
    [field(builder().boolean('p')), 0, 'must be true or false'],
    [choice, 'b', 'must be one of "a", "say \\"b\\""'],
    [choice, '', 'must be one of "a", "say \\"b\\""'],
    [choice, 1, 'must be text'],
    [titled, 'A', 'must be one of "a"'],
    [choices, 'a', 'must be a list of "a", "b", "c"'],
    [choices, null, 'must be a list of "a", "b", "c"'],
    [choices, ['d'], 'must be a list of "a", "b", "c"'],
    [choices, [['a']], 'must be a list of "a", "b", "c"'],
    [choices, { 0: 'a', length: 1 }, 'must be a list of "a", "b", "c"'],
    [choices, ['a', 'a'], 'must not repeat a value'],
    [choices, [], 'must have at least 1'],
    [choices, ['a', 'b', 'c'], 'must have at most 2'],
    [titledChoices, ['A'], 'must be a list of "a"'],
  ])('says what is wrong in %j: %j %s', (schema, value, problem) => {
    expect(fieldProblem(schema, value)).toBe(problem);
  });

  it.each([
    ['email', 'a@b.de', true],
    ['email', 'A.B+c@sub.example.com', true],
    ['email', 'a@b', false],
    ['email', 'a b@c.de', false],
    ['email', '@b.de', false],
    ['email', '', false],
    ['email', 'a@b.de ', false],
    ['uri', 'https://example.com/a?b=c#d', true],
    ['uri', 'urn:isbn:1', true],
    ['uri', 'mailto:a@b.de', true],
    ['uri', 'example.com', false],
    ['uri', '/a/b', false],
    ['uri', 'http://a b', false],
    ['date', '2024-02-29', true],
    ['date', '2026-02-29', false],
    ['date', '2026-13-01', false],
    ['date', '2026-7-28', false],
    ['date', '2026-07-28T00:00:00Z', false],
    ['date-time', '2026-07-28T12:00:00Z', true],
    ['date-time', '2026-07-28T12:00:00.123+02:00', true],
    ['date-time', '2026-07-28T12:00:00', false],
    ['date-time', '2026-07-28T24:00:00Z', false],
    ['date-time', '2026-02-30T12:00:00Z', false],
    ['date-time', '2026-07-28', false],
  ] as const)('holds %s %s to its format: %s', (format, value, fits) => {
    const words = {
      email: 'must be an e-mail address',
      uri: 'must be a URI such as https://example.com',
      date: 'must be a date such as 2026-07-28',
      'date-time': 'must be a date and time such as 2026-07-28T12:00:00Z',
    };
    const problem = fieldProblem({ type: 'string', format }, value);
    expect(problem).toBe(fits ? undefined : words[format]);
  });

  it('gives the same verdict each time it is asked', () => {
    const email: PrimitiveSchema = { type: 'string', format: 'email' };
    const verdicts = [1, 2, 3].map(() => fieldProblem(email, 'a@b.de'));
    expect(verdicts).toEqual([undefined, undefined, undefined]);
  });
});

describe('fieldChoices', () => {
  it.each<[string, PrimitiveSchema, string[] | undefined]>([
    ['a choice', { type: 'string', enum: ['a', 'b'] }, ['a', 'b']],
    ['a titled choice', { type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, ['a']],
    ['choices', { type: 'array', items: { type: 'string', enum: ['a'] } }, ['a']],
    ['titled choices', { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, ['a']],
    ['text', { type: 'string' }, undefined],
    ['a number', { type: 'number' }, undefined],
    ['a boolean', { type: 'boolean' }, undefined],
  ])('reads the values of %s', (_, schema, values) => {
    expect(fieldChoices(schema)).toEqual(values);
  });
});
