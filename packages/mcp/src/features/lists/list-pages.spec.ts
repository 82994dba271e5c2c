import { InvalidParamsException } from '../../exceptions/index.js';
import type { ResolvedListOptions } from '../../options/index.js';
import { ListPages } from './list-pages.js';

interface Item {
  readonly name: string;
}

const OPTIONS: ResolvedListOptions = { pageSize: 2, ttlMs: 5, cacheScope: 'private' };

function named(...names: string[]): Item[] {
  return names.map((name) => ({ name }));
}

function pages(
  items: readonly Item[],
  options: Partial<ResolvedListOptions> = {},
  member = 'tools',
): ListPages<string, Item> {
  return new ListPages(member, items, ({ name }) => name, { ...OPTIONS, ...options });
}

/** Every page, followed from cursor to cursor. */
function walk(list: ListPages<string, Item>): string[][] {
  const seen: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = list.page(cursor);
    seen.push((page['tools'] as readonly Item[]).map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

describe('ListPages', () => {
  it('is one empty page without items', () => {
    expect(pages([]).page(undefined)).toEqual({
      resultType: 'complete',
      tools: [],
      ttlMs: 5,
      cacheScope: 'private',
    });
    expect(pages([]).page(undefined)).not.toHaveProperty('nextCursor');
  });

  it('carries the items, a cursor for what follows, and how long it may be kept', () => {
    const list = pages(named('a', 'b', 'c'), { ttlMs: 60_000, cacheScope: 'public' });
    const first = list.page(undefined);
    expect(first).toEqual({
      resultType: 'complete',
      tools: [{ name: 'a' }, { name: 'b' }],
      nextCursor: expect.any(String) as unknown,
      ttlMs: 60_000,
      cacheScope: 'public',
    });
    expect(list.page(first.nextCursor)).toEqual({
      resultType: 'complete',
      tools: [{ name: 'c' }],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  it.each([
    [1, [['a'], ['b'], ['c'], ['d']]],
    [
      2,
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [3, [['a', 'b', 'c'], ['d']]],
    [4, [['a', 'b', 'c', 'd']]],
    [Number.MAX_SAFE_INTEGER, [['a', 'b', 'c', 'd']]],
  ])('cuts four items in pages of %d', (pageSize, expected) => {
    expect(walk(pages(named('a', 'b', 'c', 'd'), { pageSize }))).toEqual(expected);
  });

  it('keeps the order it is given', () => {
    expect(walk(pages(named('b', 'a', 'c'), { pageSize: 10 }))).toEqual([['b', 'a', 'c']]);
  });

  it('gives every instance the same cursors', () => {
    const items = named('a', 'b', 'c');
    const { nextCursor } = pages(items).page(undefined);
    expect(pages(items).page(nextCursor)['tools']).toEqual([{ name: 'c' }]);
  });

  it('has cursors that stay good when items are added behind them', () => {
    const { nextCursor } = pages(named('a', 'b', 'c')).page(undefined);
    expect(pages(named('a', 'b', 'c', 'd', 'e')).page(nextCursor)['tools']).toEqual([
      { name: 'c' },
      { name: 'd' },
    ]);
  });

  it('has cursors that stay good while their item is there, wherever pages are cut', () => {
    const { nextCursor } = pages(named('a', 'b', 'c')).page(undefined);
    expect(pages(named('new', 'a', 'b', 'c')).page(nextCursor)['tools']).toEqual([{ name: 'c' }]);
  });

  it('has cursors without characters that need escapes', () => {
    const names = ['größe', 'a/b+c=d', '名前', 'x'.repeat(128)];
    const list = pages(named(...names), { pageSize: 1 });
    let cursor = list.page(undefined).nextCursor;
    while (cursor !== undefined) {
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      cursor = list.page(cursor).nextCursor;
    }
    expect(walk(list)).toEqual(names.map((name) => [name]));
  });

  it('neither changes nor follows the items it is given', () => {
    const items = named('a', 'b', 'c');
    const list = pages(items);
    items.push({ name: 'd' });
    items.reverse();
    expect(walk(list)).toEqual([['a', 'b'], ['c']]);
    expect(walk(pages(Object.freeze(named('a', 'b', 'c'))))).toEqual([['a', 'b'], ['c']]);
  });

  it.each<[string, unknown]>([
    ['an invented one', 'abc'],
    ['an empty one', ''],
    ['null', null],
    ['a number', 0],
    ['a list', []],
    ['an object', {}],
    ['a name', 'b'],
    ['undefined as text', 'undefined'],
    ['a name of every object', 'constructor'],
    ['one of another list', pages(named('a', 'b', 'c'), {}, 'prompts').page(undefined).nextCursor],
    [
      'one after an item it does not have',
      pages(named('x', 'y'), { pageSize: 1 }).page(undefined).nextCursor,
    ],
  ])('refuses a cursor it never gave out: %s', (_, cursor) => {
    const list = pages(named('a', 'b', 'c'));
    expect(() => list.page(cursor)).toThrow(InvalidParamsException);
    expect(() => list.page(cursor)).toThrow(
      new Error('Invalid cursor. Start the list again without one.'),
    );
  });
});
