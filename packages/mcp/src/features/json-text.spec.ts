import { InvalidResultException } from '../exceptions/index.js';
import { jsonText } from './json-text.js';

describe('jsonText', () => {
  it.each<[unknown, string]>([
    [null, 'null'],
    [true, 'true'],
    [0, '0'],
    [-0, '0'],
    ['say "a"', '"say \\"a\\""'],
    ['', '""'],
    [[1, undefined, 2], '[1,null,2]'],
    [{ a: 1, b: undefined, c: { d: [] } }, '{"a":1,"c":{"d":[]}}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    ['\u2028', '"\u2028"'],
    ['\ud800', '"\\ud800"'],
  ])('of %p is %s', (value, text) => {
    expect(jsonText('open', value)).toBe(text);
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'JSON has no undefined'],
    ['a function', () => 1, 'JSON has no function'],
    ['a symbol', Symbol('s'), 'JSON has no symbol'],
    ['an object that says so', { toJSON: () => undefined }, 'JSON has no object'],
    ['a bigint', 1n, 'it is not JSON (Do not know how to serialize a BigInt)'],
    ['a nested bigint', { a: [1n] }, 'it is not JSON (Do not know how to serialize a BigInt)'],
  ])('refuses %s', (_, value, detail) => {
    expect(() => jsonText('open', value)).toThrow(InvalidResultException);
    expect(() => jsonText('open', value)).toThrow(
      new Error(`"open" returned a value that cannot be sent: ${detail}.`),
    );
  });

  it('refuses a circle', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(() => jsonText('open', circle)).toThrow(InvalidResultException);
    expect(() => jsonText('open', circle)).toThrow(
      '"open" returned a value that cannot be sent: it is not JSON (Converting circular structure',
    );
  });

  it('refuses a value whose toJSON fails', () => {
    const value = {
      toJSON: () => {
        throw new Error('closed');
      },
    };
    expect(() => jsonText('open', value)).toThrow(
      new Error('"open" returned a value that cannot be sent: it is not JSON (closed).'),
    );
  });
});
