import { canonicalJson, MAX_JSON_DEPTH } from './canonical-json.js';

describe('canonicalJson', () => {
  it.each([
    [
      'sorts members at every depth',
      { b: 1, a: { d: [{ z: 1, y: 2 }], c: null } },
      '{"a":{"c":null,"d":[{"y":2,"z":1}]},"b":1}',
    ],
    ['keeps the order of lists', [3, 1, 2], '[3,1,2]'],
    ['writes text as JSON does', 'a"\u2028é', JSON.stringify('a"\u2028é')],
    ['writes booleans and numbers', [true, false, 0, -1.5, 1e21], '[true,false,0,-1.5,1e+21]'],
    ['writes null', null, 'null'],
  ])('%s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('leaves out members that are undefined', () => {
    expect(canonicalJson({ a: undefined, b: 1 } as never)).toBe('{"b":1}');
  });

  it('writes undefined as null', () => {
    expect(canonicalJson(undefined)).toBe('null');
  });

  it('treats a member called __proto__ as any other', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1,"a":2}') as never)).toBe(
      '{"__proto__":1,"a":2}',
    );
  });

  it('refuses what is nested too deep, and takes what is not', () => {
    const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as never;
    expect(canonicalJson(nested(MAX_JSON_DEPTH))).toHaveLength(2 * MAX_JSON_DEPTH);
    expect(() => canonicalJson(nested(MAX_JSON_DEPTH + 2))).toThrow(/more than 256 levels/);
  });
});
