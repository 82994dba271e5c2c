import type { MetaObject } from './meta.js';

/** Who may keep a cached copy: everybody, or this authorization only. */
export type CacheScope = 'public' | 'private';

/** Members every result has. */
export interface Result {
  resultType: string;
  _meta?: MetaObject;
}

/**
 * A result that clients may cache.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface CacheableResult extends Result {
  /** Freshness hint in milliseconds, 0 or more. */
  ttlMs: number;
  cacheScope: CacheScope;
}

/** A result that may be one page of several. */
export interface PaginatedResult extends Result {
  /** Opaque; absent on the last page. */
  nextCursor?: string;
}
