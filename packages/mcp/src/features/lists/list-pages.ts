import { InvalidParamsException } from '../../exceptions/index.js';
import type { ResolvedListOptions } from '../../options/index.js';
import type { CacheableResult, PaginatedResult } from '../../protocol/index.js';
import { keepText } from './kept-text.js';

/** A page: the items under the name the method gives them. */
export type ListPage<M extends string, T> = PaginatedResult &
  CacheableResult & { readonly [K in M]: readonly T[] };

/**
 * A list cut into pages.
 *
 * 1. A cursor names the list and the last item before the page, so that it stays good while that
 *    item is there, on every instance and for every page size, and is refused by other lists.
 * 2. Order is the order of registration, the same for every caller and every instance.
 * 3. A page is made once, when it is first asked for.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export class ListPages<M extends string, T> {
  /** Where the page of each cursor begins. */
  private readonly starts = new Map<string | undefined, number>([[undefined, 0]]);
  private readonly pages = new Map<number, ListPage<M, T>>();

  private readonly items: readonly T[];

  constructor(
    private readonly member: M,
    items: readonly T[],
    private readonly keyOf: (item: T) => string,
    private readonly options: ResolvedListOptions,
  ) {
    this.items = [...items];
    for (const [index, item] of items.entries()) this.starts.set(this.cursorAfter(item), index + 1);
  }

  /** @throws InvalidParamsException for a cursor this list never gave out */
  page(cursor: unknown): ListPage<M, T> {
    const start =
      cursor === undefined || typeof cursor === 'string' ? this.starts.get(cursor) : undefined;
    if (start === undefined) {
      throw new InvalidParamsException('Invalid cursor. Start the list again without one.');
    }
    const page = this.pages.get(start) ?? this.cut(start);
    this.pages.set(start, page);
    return page;
  }

  private cut(start: number): ListPage<M, T> {
    const { pageSize, ttlMs, cacheScope } = this.options;
    const items = this.items.slice(start, start + pageSize);
    const last = items.at(-1);
    const more = last !== undefined && start + pageSize < this.items.length;
    return keepText({
      resultType: 'complete',
      [this.member]: items,
      ...(more && { nextCursor: this.cursorAfter(last) }),
      ttlMs,
      cacheScope,
    } as unknown as ListPage<M, T>);
  }

  private cursorAfter(item: T): string {
    return Buffer.from(`${this.member}\n${this.keyOf(item)}`).toString('base64url');
  }
}
