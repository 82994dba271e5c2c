import { InvalidParamsException } from '../../exceptions/index.js';
import type { ResolvedListOptions } from '../../options/index.js';
import type { CacheableResult, PaginatedResult } from '../../protocol/index.js';

/** A page: the items under the name the method gives them. */
export type ListPage<M extends string, T> = PaginatedResult &
  CacheableResult & { readonly [K in M]: readonly T[] };

/**
 * A list cut into pages at boot.
 *
 * 1. A cursor names the list and the last item before the page, so that it stays good while that
 *    item is there, and is refused by every other list.
 * 2. Order is the order of registration, the same for every caller and every instance.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 */
export class ListPages<M extends string, T> {
  private readonly pages = new Map<string | undefined, ListPage<M, T>>();

  constructor(
    member: M,
    items: readonly T[],
    keyOf: (item: T) => string,
    { pageSize, ttlMs, cacheScope }: ResolvedListOptions,
  ) {
    let cursor: string | undefined;
    let start = 0;
    do {
      const page = items.slice(start, start + pageSize);
      start += pageSize;
      const last = page.at(-1);
      const nextCursor =
        start < items.length && last !== undefined ? toCursor(member, keyOf(last)) : undefined;
      this.pages.set(cursor, {
        resultType: 'complete',
        [member]: page,
        ...(nextCursor !== undefined && { nextCursor }),
        ttlMs,
        cacheScope,
      } as ListPage<M, T>);
      cursor = nextCursor;
    } while (cursor !== undefined);
  }

  /** @throws InvalidParamsException for a cursor this list never gave out */
  page(cursor: unknown): ListPage<M, T> {
    const page =
      cursor === undefined || typeof cursor === 'string' ? this.pages.get(cursor) : undefined;
    if (page === undefined) {
      throw new InvalidParamsException('Invalid cursor. Start the list again without one.');
    }
    return page;
  }
}

function toCursor(member: string, key: string): string {
  return Buffer.from(`${member}\n${key}`).toString('base64url');
}
