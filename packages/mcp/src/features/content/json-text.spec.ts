import { InvalidResultException } from '../../exceptions/index.js';
import { jsonText } from './json-text.js';

const BIGINT = 'Return it as text, or as a number if it is small enough';
const CIRCLE = 'Return a copy of what is needed, without the way back';

const LOST = 'of which JSON keeps nothing';

function* generate(): Generator {
  yield 1;
}

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
    [{ a: {}, b: Object.create(null) as object, c: () => 1 }, '{"a":{},"b":{}}'],
    [{ a: new (class Empty {})(), b: Object(5) as object, c: [] }, '{"a":{},"b":5,"c":[]}'],
    [{ a: Object.assign(new Error('x'), { code: 1 }), b: {} }, '{"a":{"code":1},"b":{}}'],
    [{ a: new Uint8Array(0) }, '{"a":{}}'],
    [{ a: { toJSON: () => ({}) }, b: '{}' }, '{"a":{},"b":"{}"}'],
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
    ['a map', new Map([[1, 2]]), `it is of type Map, ${LOST}. Return Object.fromEntries() of it`],
    ['a set', { a: [{}, new Set([1])] }, `a[1] is of type Set, ${LOST}. Return it as a list`],
    ['a promise', { a: Promise.resolve(1) }, `a is of type Promise, ${LOST}. Await it`],
    ['an error', new Error('x'), `it is of type Error, ${LOST}. Throw it, or return its message`],
    [
      'a set that an object becomes',
      [{ toJSON: () => ({ a: new Set() }) }],
      `[0].a is of type Set, ${LOST}. Return it as a list`,
    ],
    [
      'a set that becomes itself',
      Object.assign(new Set(), { toJSON: (): unknown => new Set() }),
      `it is of type Set, ${LOST}. Return it as a list`,
    ],
    ['a generator', { a: generate() }, `a is of type Generator, ${LOST}. Return plain data`],
    ['memory', { a: new ArrayBuffer(1) }, `a is of type ArrayBuffer, ${LOST}. Return plain data`],
    ['headers', { a: new Headers() }, `a is of type Headers, ${LOST}. Return plain data`],
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

  it('takes a value whose members cannot be looked at again for what JSON has made of it', () => {
    let looks = 0;
    const value = {
      a: {},
      get b(): unknown {
        looks += 1;
        if (looks > 1) throw new Error('closed');
        return 1;
      },
    };
    expect(jsonText('open', value)).toBe('{"a":{},"b":1}');
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
