import type {
  ClientCapabilities,
  Implementation,
  LegacyRevision,
  LogLevel,
} from '../protocol/index.js';

/** What is kept of a session of an earlier revision. JSON. */
export interface McpSessionRecord {
  /** Whose session it is. */
  readonly principal: string | null;
  readonly revision: LegacyRevision;
  /** As the client has described itself. */
  readonly info?: Implementation | undefined;
  /** In the words of revision 2026-07-28. */
  readonly capabilities: ClientCapabilities;
  /** Whether the client has said that it is ready. */
  readonly isReady: boolean;
  readonly logLevel?: LogLevel | undefined;
  /** Uris of the resources whose updates it wants to hear of. */
  readonly watched: readonly string[];
}

/**
 * Keeps the sessions of clients of earlier revisions (see `legacy: 'sessions'`), so that they survive
 * this process and are known to other instances: provide it with `McpModule.forRoot({ sessionStore })`.
 * Without one a session lives and ends with the instance that it began on.
 *
 * The store is asked before every request of a session, and what it throws refuses the request. It is
 * trusted: a session is its principal's, and the record says who that is.
 */
export abstract class McpSessionStore {
  /**
   * Keeps a session, in place of what was kept of it.
   * @param id that no other session has
   * @param ttlMs how long it is to be kept, in milliseconds
   */
  abstract save(id: string, record: McpSessionRecord, ttlMs: number): Promise<void>;

  /** What was kept, unless its time is over or it was removed. @param id a UUID, as a client has sent it */
  abstract load(id: string): Promise<McpSessionRecord | undefined>;

  /** Forgets a session. One that is not there is no error. */
  abstract remove(id: string): Promise<void>;
}
