import { InvalidFormException } from '../../exceptions/index.js';
import type { RequestedSchema } from '../../protocol/index.js';
import { FormBuilder } from './form-builder.js';

/** The chain as a caller without types sees it. */
type Untyped = Record<
  | 'string'
  | 'email'
  | 'uri'
  | 'date'
  | 'dateTime'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'choice'
  | 'choices',
  (name: string, ...rest: unknown[]) => Untyped
> & { build(): RequestedSchema };

const form = (): FormBuilder => new FormBuilder();
const untyped = (): Untyped => new FormBuilder() as unknown as Untyped;

function refusal(write: () => unknown): InvalidFormException {
  try {
    write();
  } catch (error) {
    if (error instanceof InvalidFormException) return error;
    throw error;
  }
  throw new Error('was not refused');
}

const ALL = { title: 'T', description: 'D' };

describe('FormBuilder', () => {
  it.each<[string, unknown, unknown]>([
    ['string', form().string('p'), { type: 'string' }],
    [
      'string with every option',
      form().string('p', { ...ALL, minLength: 1, maxLength: 5, default: 'abc' }),
      { type: 'string', ...ALL, minLength: 1, maxLength: 5, default: 'abc' },
    ],
    ['email', form().email('p'), { type: 'string', format: 'email' }],
    [
      'email with every option',
      form().email('p', { ...ALL, minLength: 6, maxLength: 50, default: 'a@b.de' }),
      { type: 'string', format: 'email', ...ALL, minLength: 6, maxLength: 50, default: 'a@b.de' },
    ],
    ['uri', form().uri('p'), { type: 'string', format: 'uri' }],
    [
      'uri with a default',
      form().uri('p', { default: 'https://example.com' }),
      { type: 'string', format: 'uri', default: 'https://example.com' },
    ],
    ['date', form().date('p'), { type: 'string', format: 'date' }],
    [
      'date with a default',
      form().date('p', { default: '2026-07-28' }),
      { type: 'string', format: 'date', default: '2026-07-28' },
    ],
    ['date and time', form().dateTime('p'), { type: 'string', format: 'date-time' }],
    [
      'date and time with a default',
      form().dateTime('p', { default: '2026-07-28T12:00:00Z' }),
      { type: 'string', format: 'date-time', default: '2026-07-28T12:00:00Z' },
    ],
    ['integer', form().integer('p'), { type: 'integer' }],
    [
      'integer with every option',
      form().integer('p', { ...ALL, minimum: -1, maximum: 9, default: 0 }),
      { type: 'integer', ...ALL, minimum: -1, maximum: 9, default: 0 },
    ],
    ['number', form().number('p'), { type: 'number' }],
    [
      'number with every option',
      form().number('p', { ...ALL, minimum: 0.5, maximum: 99.5, default: 95.5 }),
      { type: 'number', ...ALL, minimum: 0.5, maximum: 99.5, default: 95.5 },
    ],
    ['boolean', form().boolean('p'), { type: 'boolean' }],
    [
      'boolean with every option',
      form().boolean('p', { ...ALL, default: false }),
      { type: 'boolean', ...ALL, default: false },
    ],
    ['choice', form().choice('p', ['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [
      'choice with every option',
      form().choice('p', ['a', 'b'], { ...ALL, default: 'b' }),
      { type: 'string', enum: ['a', 'b'], ...ALL, default: 'b' },
    ],
    [
      'titled choice',
      form().choice('p', [
        { value: '#f00', title: 'Red' },
        { value: '#0f0', title: 'Green' },
      ]),
      {
        type: 'string',
        oneOf: [
          { const: '#f00', title: 'Red' },
          { const: '#0f0', title: 'Green' },
        ],
      },
    ],
    [
      'partly titled choice, where a value is its own title',
      form().choice('p', ['a', { value: 'b', title: 'B' }], { default: 'a' }),
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'a' },
          { const: 'b', title: 'B' },
        ],
        default: 'a',
      },
    ],
    [
      'choices',
      form().choices('p', ['a', 'b']),
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    ],
    [
      'choices with every option',
      form().choices('p', ['a', 'b'], { ...ALL, minItems: 1, maxItems: 2, default: ['b'] }),
      {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        ...ALL,
        minItems: 1,
        maxItems: 2,
        default: ['b'],
      },
    ],
    [
      'titled choices',
      form().choices('p', [{ value: 'a', title: 'A' }], { default: ['a'] }),
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, default: ['a'] },
    ],
    [
      'choices with an empty default',
      form().choices('p', ['a'], { default: [] }),
      { type: 'array', items: { type: 'string', enum: ['a'] }, default: [] },
    ],
    [
      'choices that allow more than there are',
      form().choices('p', ['a'], { maxItems: 5 }),
      { type: 'array', items: { type: 'string', enum: ['a'] }, maxItems: 5 },
    ],
  ])('writes a %s', (_, built, property) => {
    // Compared as it travels, so that order counts and nothing undefined hides.
    expect(JSON.stringify((built as FormBuilder).build())).toBe(
      JSON.stringify({ type: 'object', properties: { p: property }, required: ['p'] }),
    );
  });

  it.each<[string, unknown]>([
    ['an empty text', form().string('p', { default: '' })],
    ['zero', form().integer('p', { default: 0 })],
    ['false', form().boolean('p', { default: false })],
    ['an empty choice', form().choice('p', ['', 'a'], { default: '' })],
  ])('keeps %s as a default', (_, built) => {
    expect((built as FormBuilder).build().properties['p']).toHaveProperty('default');
  });

  it('requires every property that is not optional, in the order of the chain', () => {
    expect(
      form()
        .string('z')
        .string('a', { optional: true })
        .integer('m', { optional: false })
        .boolean('b')
        .build(),
    ).toEqual({
      type: 'object',
      properties: {
        z: { type: 'string' },
        a: { type: 'string' },
        m: { type: 'integer' },
        b: { type: 'boolean' },
      },
      required: ['z', 'm', 'b'],
    });
  });

  it('keeps the order of the chain in the properties', () => {
    const { properties } = form()
      .string('z')
      .string('a')
      .integer('m')
      .choice('b', ['x'])
      .date('Z')
      .build();
    expect(Object.keys(properties)).toEqual(['z', 'a', 'm', 'b', 'Z']);
  });

  it('leaves out "required" when everything is optional', () => {
    expect(form().string('a', { optional: true }).build()).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('leaves out what is undefined', () => {
    expect(
      JSON.stringify(
        form().string('a', { title: undefined, minLength: undefined, default: undefined }).build(),
      ),
    ).toBe('{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'größe', '名前', 'a b', 'a.b'])(
    'takes %s as a name like any other',
    (name) => {
      const built = untyped().string(name).build();
      expect(Object.keys(built.properties)).toEqual([name]);
      expect(built.required).toEqual([name]);
    },
  );

  it('gives a schema that later additions do not change', () => {
    const builder = form().string('a');
    const before = builder.build();
    builder.string('b');
    expect(before).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });

  it('neither changes nor keeps the values and options it is given', () => {
    const values = ['a', 'b'];
    const options = { title: 'T', default: ['a'], optional: true as const };
    const built = form().choices('p', values, options).build();
    values.push('c');
    options.default.push('b');
    expect(built.properties['p']).toEqual({
      type: 'array',
      items: { type: 'string', enum: ['a', 'b'] },
      title: 'T',
      default: ['a'],
    });
    expect(options).toEqual({ title: 'T', default: ['a', 'b'], optional: true });
  });

  it('takes frozen values and options', () => {
    const options = Object.freeze({ default: 'a', optional: true } as const);
    expect(
      form()
        .choice('p', Object.freeze(['a', 'b'] as const), options)
        .build(),
    ).toEqual({
      type: 'object',
      properties: { p: { type: 'string', enum: ['a', 'b'], default: 'a' } },
    });
  });
});

describe('a mistake in a form', () => {
  it.each<[string, (f: Untyped) => unknown, string]>([
    [
      'a name used twice',
      (f) => f.string('p').integer('p'),
      'the name is used twice. Give each property its own name.',
    ],
    ...(['string', 'email', 'uri', 'date', 'dateTime'] as const).flatMap((kind) =>
      (
        [
          [
            `minLength above maxLength of ${kind}`,
            { minLength: 3, maxLength: 2 },
            'minLength is above maxLength. Lower minLength or raise maxLength.',
          ],
          [
            `a negative minLength of ${kind}`,
            { minLength: -1 },
            'minLength is not a count. Make minLength an integer of 0 or more.',
          ],
          [
            `a broken maxLength of ${kind}`,
            { maxLength: 1.5 },
            'maxLength is not a count. Make maxLength an integer of 0 or more.',
          ],
          [
            `minimum of ${kind}`,
            { minimum: 1 },
            '"minimum" does not apply to it. Leave the option out.',
          ],
          [
            `a default of ${kind} that is no text`,
            { default: 1 },
            'its default must be text. Change the default.',
          ],
        ] as const
      ).map(([fact, options, message]): [string, (f: Untyped) => unknown, string] => [
        fact,
        (f) => f[kind]('p', options),
        message,
      ]),
    ),
    [
      'a NaN minLength',
      (f) => f.string('p', { minLength: Number.NaN }),
      'minLength is not a count. Make minLength an integer of 0 or more.',
    ],
    [
      'an infinite maxLength',
      (f) => f.string('p', { maxLength: Number.POSITIVE_INFINITY }),
      'maxLength is not a count. Make maxLength an integer of 0 or more.',
    ],
    [
      'a default below minLength',
      (f) => f.string('p', { minLength: 3, default: 'ab' }),
      'its default must have at least 3 characters. Change the default.',
    ],
    [
      'a default above maxLength',
      (f) => f.string('p', { maxLength: 1, default: 'ab' }),
      'its default must have at most 1 characters. Change the default.',
    ],
    [
      'a default that is no e-mail address',
      (f) => f.email('p', { default: 'somebody' }),
      'its default must be an e-mail address. Change the default.',
    ],
    [
      'a default that is no uri',
      (f) => f.uri('p', { default: 'example' }),
      'its default must be a URI such as https://example.com. Change the default.',
    ],
    [
      'a default that is no date',
      (f) => f.date('p', { default: '2026-02-30' }),
      'its default must be a date such as 2026-07-28. Change the default.',
    ],
    [
      'a default that is no date and time',
      (f) => f.dateTime('p', { default: '2026-07-28' }),
      'its default must be a date and time such as 2026-07-28T12:00:00Z. Change the default.',
    ],
    [
      'pattern, which no form has',
      (f) => f.string('p', { pattern: '^a' }),
      '"pattern" does not apply to it. Leave the option out.',
    ],
    [
      'minimum above maximum',
      (f) => f.integer('p', { minimum: 3, maximum: 2 }),
      'minimum is above maximum. Lower minimum or raise maximum.',
    ],
    [
      'a NaN minimum',
      (f) => f.number('p', { minimum: Number.NaN }),
      'minimum or maximum is not a number. Make both numbers.',
    ],
    [
      'a NaN maximum',
      (f) => f.integer('p', { maximum: Number.NaN }),
      'minimum or maximum is not a number. Make both numbers.',
    ],
    [
      'a default below minimum',
      (f) => f.integer('p', { minimum: 3, default: 2 }),
      'its default must be at least 3. Change the default.',
    ],
    [
      'a default above maximum',
      (f) => f.number('p', { maximum: 1.5, default: 1.6 }),
      'its default must be at most 1.5. Change the default.',
    ],
    [
      'a broken default of an integer',
      (f) => f.integer('p', { default: 0.5 }),
      'its default must be a whole number. Change the default.',
    ],
    [
      'an integer default that JSON cannot carry exactly',
      (f) => f.integer('p', { default: 2 ** 53 }),
      'its default must be a whole number. Change the default.',
    ],
    [
      'a NaN default',
      (f) => f.number('p', { default: Number.NaN }),
      'its default must be a number. Change the default.',
    ],
    [
      'an infinite default',
      (f) => f.number('p', { default: Number.NEGATIVE_INFINITY }),
      'its default must be a number. Change the default.',
    ],
    [
      'minLength of a number',
      (f) => f.number('p', { minLength: 1 }),
      '"minLength" does not apply to it. Leave the option out.',
    ],
    [
      'minimum of a boolean',
      (f) => f.boolean('p', { minimum: 1 }),
      '"minimum" does not apply to it. Leave the option out.',
    ],
    [
      'a default of a boolean that is text',
      (f) => f.boolean('p', { default: 'true' }),
      'its default must be true or false. Change the default.',
    ],
    [
      'a choice of nothing',
      (f) => f.choice('p', []),
      'it offers no choices. Give at least one value.',
    ],
    [
      'a choice with a repeated value',
      (f) => f.choice('p', ['a', 'b', 'a']),
      'it offers a value twice. Give each value once.',
    ],
    [
      'a titled choice with a repeated value',
      (f) =>
        f.choice('p', [
          { value: 'a', title: '1' },
          { value: 'a', title: '2' },
        ]),
      'it offers a value twice. Give each value once.',
    ],
    [
      'a default outside the choice',
      (f) => f.choice('p', ['a', 'b'], { default: 'c' }),
      'its default must be one of "a", "b". Change the default.',
    ],
    [
      'the title of a choice as default',
      (f) => f.choice('p', [{ value: 'a', title: 'A' }], { default: 'A' }),
      'its default must be one of "a". Change the default.',
    ],
    [
      'minLength of a choice',
      (f) => f.choice('p', ['a'], { minLength: 1 }),
      '"minLength" does not apply to it. Leave the option out.',
    ],
    [
      'format of a choice',
      (f) => f.choice('p', ['a'], { format: 'email' }),
      '"format" does not apply to it. Leave the option out.',
    ],
    [
      'choices of nothing',
      (f) => f.choices('p', []),
      'it offers no choices. Give at least one value.',
    ],
    [
      'choices with a repeated value',
      (f) => f.choices('p', ['a', 'a']),
      'it offers a value twice. Give each value once.',
    ],
    [
      'minItems above maxItems',
      (f) => f.choices('p', ['a', 'b'], { minItems: 2, maxItems: 1 }),
      'minItems is above maxItems. Lower minItems or raise maxItems.',
    ],
    [
      'a negative minItems',
      (f) => f.choices('p', ['a'], { minItems: -1 }),
      'minItems is not a count. Make minItems an integer of 0 or more.',
    ],
    [
      'a broken maxItems',
      (f) => f.choices('p', ['a'], { maxItems: 0.5 }),
      'maxItems is not a count. Make maxItems an integer of 0 or more.',
    ],
    [
      'more minItems than choices',
      (f) => f.choices('p', ['a', 'b'], { minItems: 3 }),
      'minItems is more than it has choices. Lower minItems.',
    ],
    [
      'a default outside the choices',
      (f) => f.choices('p', ['a', 'b'], { default: ['a', 'c'] }),
      'its default must be a list of "a", "b". Change the default.',
    ],
    [
      'a default that repeats a value',
      (f) => f.choices('p', ['a', 'b'], { default: ['a', 'a'] }),
      'its default must not repeat a value. Change the default.',
    ],
    [
      'a default of fewer than minItems',
      (f) => f.choices('p', ['a', 'b'], { minItems: 1, default: [] }),
      'its default must have at least 1. Change the default.',
    ],
    [
      'a default of more than maxItems',
      (f) => f.choices('p', ['a', 'b'], { maxItems: 1, default: ['a', 'b'] }),
      'its default must have at most 1. Change the default.',
    ],
    [
      'minimum of choices',
      (f) => f.choices('p', ['a'], { minimum: 1 }),
      '"minimum" does not apply to it. Leave the option out.',
    ],
  ])('is refused at once: %s', (_, write, rest) => {
    const { property, message } = refusal(() => write(untyped()));
    expect(property).toBe('p');
    expect(message).toBe(`Invalid form property "p": ${rest}`);
  });

  it.each([
    ['', 'Invalid form: it has no usable name. Give it a name.'],
    ['__proto__', 'Invalid form property "__proto__": it has no usable name. Give it a name.'],
  ])('is refused at once: the name "%s"', (name, message) => {
    const error = refusal(() => untyped().string(name));
    expect(error.property).toBe(name);
    expect(error.message).toBe(message);
  });

  it('is refused before the next call of the chain', () => {
    const builder = form().string('a');
    expect(() => untyped().choice.call(builder, 'b', [])).toThrow(InvalidFormException);
    expect(Object.keys(builder.build().properties)).toEqual(['a']);
    expect(builder.build().required).toEqual(['a']);
  });

  it.each([
    ['an infinite minimum', { minimum: Number.NEGATIVE_INFINITY }],
    ['an infinite maximum', { maximum: Number.POSITIVE_INFINITY }],
    ['a minimum that is text', { minimum: '3' }],
  ])('is refused at once: %s, which JSON turns into another schema', (_, options) => {
    expect(refusal(() => untyped().number('p', options)).property).toBe('p');
  });

  it('is refused at once: bounds between which there is no whole number', () => {
    expect(refusal(() => form().integer('p', { minimum: 0.2, maximum: 0.8 })).property).toBe('p');
  });

  it.each<[string, (f: Untyped) => unknown]>([
    ['type', (f) => f.string('p', { type: 'object' })],
    ['format over that of the method', (f) => f.email('p', { format: 'uri' })],
    [
      'oneOf beside the values',
      (f) => f.choice('p', ['a'], { oneOf: [{ const: 'z', title: 'Z' }] }),
    ],
    ['items beside the values', (f) => f.choices('p', ['a'], { items: { enum: ['z'] } })],
  ])('is refused at once: the option %s, which belongs to the method', (_, write) => {
    expect(refusal(() => write(untyped())).property).toBe('p');
  });
});
