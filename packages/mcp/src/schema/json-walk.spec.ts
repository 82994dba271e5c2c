import { type JsonRules, problemIn, writtenAs } from './json-walk.js';

interface Look {
  readonly path: string;
  readonly value: unknown;
  readonly depth: number;
}

/** What is looked at on the way through a value, in order. */
function looks(value: unknown, path = 'it', rules: Partial<JsonRules> = {}): Look[] {
  const seen: Look[] = [];
  problemIn(value, path, {
    problemOf: (part, where, depth) => {
      seen.push({ path: where, value: part, depth });
      return undefined;
    },
    ...rules,
  });
  return seen;
}

const paths = (...of: Parameters<typeof looks>): string[] => looks(...of).map(({ path }) => path);

const gives = (value: unknown): object => ({ toJSON: () => value });

function failing(): object {
  return {
    toJSON: () => {
      throw new Error('closed');
    },
  };
}

const owner: Record<string, unknown> = { name: 'Ada' };
owner['accounts'] = [{ owner }];

/** Complains of text. */
const NO_TEXT: JsonRules = {
  problemOf: (value, path) =>
    typeof value === 'string' ? { fact: `${path} is text`, mend: 'Count' } : undefined,
};

describe('A walk through a value that is to be JSON', () => {
  it('looks at the value, and at all that is in it, by its place', () => {
    expect(looks({ a: [1, { b: null }] })).toEqual([
      { path: 'it', value: { a: [1, { b: null }] }, depth: 0 },
      { path: 'a', value: [1, { b: null }], depth: 1 },
      { path: 'a[0]', value: 1, depth: 2 },
      { path: 'a[1]', value: { b: null }, depth: 2 },
      { path: 'a[1].b', value: null, depth: 3 },
    ]);
  });

  it.each<[string, unknown, string, string[]]>([
    ['a value alone', 1n, 'it', ['it']],
    ['a list', [[1]], 'it', ['it', '[0]', '[0][0]']],
    [
      'a value with a name',
      { a: [1] },
      'the value',
      ['the value', 'the value.a', 'the value.a[0]'],
    ],
  ])('names the places of %s', (_, value, path, expected) => {
    expect(paths(value, path)).toEqual(expected);
  });

  it.each<[string, unknown, string[]]>([
    ['functions and symbols in objects', { a: () => 1, b: Symbol('s'), c: 1 }, ['it', 'c']],
    ['what is inherited', Object.create({ a: 1 }), ['it']],
    ['what has a symbol for its name', { [Symbol('s')]: 1 }, ['it']],
    ['what a list has besides its items', Object.assign([1], { a: 1 }), ['it', '[0]']],
  ])('goes past %s', (_, value, expected) => {
    expect(paths(value)).toEqual(expected);
  });

  it('does not go past functions, symbols and holes in lists, where JSON has null', () => {
    const list: unknown[] = [() => 1, Symbol('s')];
    list[3] = 1;
    expect(paths(list)).toEqual(['it', '[0]', '[1]', '[2]', '[3]']);
  });

  it('comes to one object at every place where it stands', () => {
    const shared = { a: 1 };
    expect(paths([shared, shared])).toEqual(['it', '[0]', '[0].a', '[1]', '[1].a']);
  });

  it('stops at the first problem', () => {
    const value = { a: 1, b: [2, 'x'], c: 'y' };
    expect(problemIn(value, 'it', NO_TEXT)).toEqual({ fact: 'b[1] is text', mend: 'Count' });
  });

  it('finds nothing where nothing is wrong', () => {
    expect(problemIn({ a: [1] }, 'it', NO_TEXT)).toBeUndefined();
  });

  it('lets the error of a getter pass', () => {
    const value = {
      get a(): unknown {
        throw new Error('closed');
      },
    };
    expect(() => looks(value)).toThrow('closed');
  });
});

describe('A walk through an object that says how it is written', () => {
  it('looks at what it gives', () => {
    expect(looks({ a: gives({ b: 1 }) }).slice(1)).toEqual([
      { path: 'a', value: { b: 1 }, depth: 2 },
      { path: 'a.b', value: 1, depth: 3 },
    ]);
  });

  it('asks once, as JSON does', () => {
    const value = gives({ a: 1, ...gives('never') });
    expect(JSON.stringify(value)).toBe('{"a":1}');
    expect(paths(value)).toEqual(['it', 'a']);
  });

  it('takes an object that gives itself as it is', () => {
    const value: Record<string, unknown> = { a: 1, toJSON: () => value };
    expect(looks(value)).toEqual([
      { path: 'it', value, depth: 0 },
      { path: 'a', value: 1, depth: 1 },
    ]);
  });

  it('lets its error pass, without a rule for it', () => {
    expect(() => looks(failing())).toThrow('closed');
  });

  it('tells the rule of its error and its place', () => {
    const failed = (path: string, error: unknown) => ({
      fact: `${path}: ${(error as Error).message}`,
      mend: 'Open it',
    });
    expect(problemIn([failing()], 'it', { ...NO_TEXT, failed })).toEqual({
      fact: '[0]: closed',
      mend: 'Open it',
    });
  });

  it('leaves to a rule what is written', () => {
    const written = (value: object): unknown =>
      value instanceof Date ? value.getTime() : writtenAs(value);
    expect(looks([new Date(5), gives('b')], 'it', { written }).slice(1)).toEqual([
      { path: '[0]', value: 5, depth: 2 },
      { path: '[1]', value: 'b', depth: 2 },
    ]);
  });
});

describe('A walk through a circle', () => {
  const circle = (path: string, above: string) => ({ fact: `${path} is ${above}`, mend: 'Cut it' });

  it('ends where it closes, without a rule for it', () => {
    expect(paths(owner)).toEqual(['it', 'name', 'accounts', 'accounts[0]']);
  });

  it('tells the rule of both places', () => {
    expect(problemIn({ owner }, 'it', { problemOf: () => undefined, circle })).toEqual({
      fact: 'owner.accounts[0].owner is owner',
      mend: 'Cut it',
    });
  });

  it('sees one that closes in what an object gives', () => {
    const value: Record<string, unknown> = { ...gives(undefined) };
    value['toJSON'] = () => ({ value });
    expect(problemIn(value, 'it', { problemOf: () => undefined, circle })).toEqual({
      fact: 'value is it',
      mend: 'Cut it',
    });
  });
});
