import type { PrimitiveSchema } from '../../protocol/index.js';
import { checkForm, checkFormProperty } from './form-rules.js';

describe('checkForm', () => {
  it('refuses a form that asks for nothing', () => {
    expect(() => checkForm({ type: 'object', properties: {} })).toThrow(
      new Error('Invalid form: it has no properties. Ask for at least one.'),
    );
  });

  it('refuses the first property that is wrong', () => {
    expect(() =>
      checkForm({
        type: 'object',
        properties: {
          fine: { type: 'string' },
          wrong: { type: 'string', enum: [] },
          worse: { type: 'array', items: { type: 'string', enum: [] } },
        },
      }),
    ).toThrow(
      new Error('Invalid form property "wrong": it offers no choices. Give at least one value.'),
    );
  });

  it('lets a form of every kind pass', () => {
    expect(() =>
      checkForm({
        type: 'object',
        properties: {
          text: { type: 'string', format: 'date' },
          whole: { type: 'integer', minimum: 0 },
          number: { type: 'number', maximum: 0 },
          yes: { type: 'boolean' },
          one: { type: 'string', enum: ['a'] },
          titled: { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
          some: { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 },
          titledSome: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
        },
      }),
    ).not.toThrow();
  });
});

describe('checkFormProperty', () => {
  it('refuses a format that no client knows', () => {
    expect(() =>
      checkFormProperty('ip', { type: 'string', format: 'ipv4' } as unknown as PrimitiveSchema),
    ).toThrow(
      new Error(
        'Invalid form property "ip": the format "ipv4" is none that clients know. ' +
          'Use email, uri, date or date-time, or none.',
      ),
    );
  });

  it.each(['minLength', 'maxLength', 'minItems', 'pattern', 'const', 'constructor', 'required'])(
    'refuses the keyword %s in a number',
    (keyword) => {
      expect(() => checkFormProperty('n', { type: 'number', [keyword]: 1 })).toThrow(
        new Error(
          `Invalid form property "n": "${keyword}" does not apply to it. Leave the option out.`,
        ),
      );
    },
  );

  it('takes equal bounds', () => {
    expect(() => checkFormProperty('n', { type: 'number', minimum: 1, maximum: 1 })).not.toThrow();
    expect(() =>
      checkFormProperty('s', { type: 'string', minLength: 0, maxLength: 0 }),
    ).not.toThrow();
  });
});
