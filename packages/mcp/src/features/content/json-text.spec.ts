import { InvalidResultException } from '../../exceptions/index.js';
import { jsonText } from './json-text.js';

const BIGINT = 'Return it as text, or as a number if it is small enough';
const CIRCLE = 'Return a copy of what is needed, without the way back';

function circle(): object {
  const owner: Record<string, unknown> = {};
  owner['accounts'] = [{ owner }];
  return owner;
}

function failing(message: string): object {
  return {
    toJSON: () => {
      throw new Error(message);
    },
  };
}

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
    [{ a: () => 1, b: Symbol('s') }, '{}'],
    [[() => 1], '[null]'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [new Map([[1, 2]]), '{}'],
    [new Set([1]), '{}'],
    [{ toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    ['\u2028', '"\u2028"'],
    ['\ud800', '"\\ud800"'],
  ])('of %p is %s', (value, text) => {
    expect(jsonText('open', value)).toBe(text);
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'it is nothing. Return a value'],
    ['a function', () => 1, 'it is a function, which JSON has not. Return data'],
    ['a symbol', Symbol('s'), 'it is a symbol, which JSON has not. Return data'],
    [
      'an object that says so',
      { toJSON: () => undefined },
      'toJSON() of it gave nothing. Return plain data',
    ],
    ['a bigint', 1n, `it is a bigint, which JSON has not. ${BIGINT}`],
    ['a nested bigint', { a: { b: [1, 1n] } }, `a.b[1] is a bigint, which JSON has not. ${BIGINT}`],
    [
      'a bigint that an object becomes',
      [{ toJSON: () => ({ n: 1n }) }],
      `[0].n is a bigint, which JSON has not. ${BIGINT}`,
    ],
    ['a circle', circle(), `accounts[0].owner refers back to it. ${CIRCLE}`],
    ['a circle within', { a: circle() }, `a.accounts[0].owner refers back to a. ${CIRCLE}`],
    [
      'a value whose toJSON fails',
      failing('closed'),
      'toJSON() of it failed (closed). Return plain data',
    ],
    [
      'a member whose toJSON fails',
      { a: failing('closed') },
      'toJSON() of a failed (closed). Return plain data',
    ],
  ])('refuses %s', (_, value, detail) => {
    expect(() => jsonText('open', value)).toThrow(InvalidResultException);
    expect(() => jsonText('open', value)).toThrow(
      new Error(`"open" returned a value that cannot be sent: ${detail}.`),
    );
  });

  it('does not mind the same value twice', () => {
    const shared = {};
    expect(() => jsonText('open', { a: shared, b: shared, c: 1n })).toThrow('c is a bigint');
  });

  it('refuses a value that fails only once', () => {
    let calls = 0;
    const value = {
      toJSON: () => {
        calls += 1;
        if (calls === 1) throw new Error('not yet');
        return 1;
      },
    };
    expect(() => jsonText('open', value)).toThrow('it is not always JSON. Return plain data.');
  });

  it('refuses a value that changes while it is looked at', () => {
    const value = {
      get a(): unknown {
        throw new Error('closed');
      },
    };
    expect(() => jsonText('open', value)).toThrow('it is not JSON (closed). Return plain data.');
  });
});
