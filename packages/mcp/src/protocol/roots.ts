import type { MetaObject } from './meta.js';

/** A folder or file the client lets the server work on. */
export interface Root {
  /** A `file:` URI. */
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

/**
 * A request for the client's roots.
 * Deprecated in revision 2026-07-28 (SEP-2577), and still functional.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 */
export interface ListRootsRequest {
  method: 'roots/list';
  params?: { _meta?: MetaObject };
}

/** The client’s answer to a request for its roots, as it travels. */
export interface ListRootsResult {
  roots: Root[];
}
