import type { Abstract, ModuleMetadata, Type } from '@nestjs/common';
import type { InjectionToken, OptionalFactoryDependency } from '@nestjs/common';
import type { McpChangeBus } from '../changes/index.js';
import type { McpSessionStore, McpTransport, McpVisibility } from '../exchange/index.js';
import type { CacheScope, Implementation } from '../protocol/index.js';
import type {
  AnswerPolicy,
  McpConversationGuard,
  McpObserver,
  McpPrincipalSource,
  MismatchPolicy,
} from '../replay/index.js';

/** Who the server is. */
export interface McpServerOptions extends Implementation {
  /** Guidance for models on how to use the server. */
  instructions?: string | undefined;
}

/**
 * How conversations are kept in tokens. Durations are milliseconds. Here and in every group an option
 * may be `undefined`, as what the environment does not have is: the default counts.
 */
export interface McpReplayOptions {
  /**
   * 32 random bytes in base64, or a list: the first seals, all open. Every instance needs the same.
   * Without it a key is made that dies with the process.
   */
  secret?: string | readonly string[] | undefined;
  /** How long an answer may take; 5 minutes by default. */
  ttlMs?: number | undefined;
  /** How long a conversation may last; 1 hour by default. */
  maxAgeMs?: number | undefined;
  /** How many rounds a conversation may have; 64 by default. */
  maxRounds?: number | undefined;
  /** How long a token may be; 65,536 bytes by default. */
  maxStateBytes?: number | undefined;
  /** How many answers to one question may not fit its form before the call fails; 3 by default. */
  maxAttempts?: number | undefined;
  /** Longest JSON of what a step returns; 16,384 bytes by default. */
  maxEntryBytes?: number | undefined;
  /**
   * How long the answer to a round is kept for duplicates of it, of tools that are played once; 5
   * minutes by default.
   */
  resultTtlMs?: number | undefined;
  /**
   * What becomes of a conversation whose handler has changed under way: it is refused (default), or it
   * starts again, unless a step is recorded.
   */
  onMismatch?: MismatchPolicy | undefined;
  /** Whether answers nobody asked for are refused (default) or ignored. */
  answers?: AnswerPolicy | undefined;
}

/** What the HTTP endpoint accepts. */
export interface McpHttpOptions {
  /** Largest body; 4 MiB by default. */
  maxBodyBytes?: number | undefined;
  /**
   * Values of `Origin` that may call, such as `https://app.example.com`; `*` for any. By default
   * only pages of this machine (localhost, 127.0.0.1, [::1], any port). Requests without an
   * `Origin` do not come from a page.
   */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Names under which the server may be addressed (`Host`; in HTTP/2 `:authority`), with or without a port; `*` for any. By
   * default localhost, 127.0.0.1 and [::1].
   */
  allowedHosts?: readonly string[] | undefined;
  /** Puts the endpoint under `app.setGlobalPrefix()`; off by default. */
  useGlobalPrefix?: boolean | undefined;
  /** Pause between keep-alive comments on an open stream; 15 seconds by default, 0 for none. */
  keepAliveMs?: number | undefined;
  /**
   * How much may wait for a client that reads its stream slowly; 1 MiB by default. Beyond it
   * progress and log messages are left out, and subscriptions are dropped.
   */
  maxBufferedBytes?: number | undefined;
}

/** What a client on the other end of stdin and stdout may cost. */
export interface McpStdioOptions {
  /** Longest line, in bytes without its newline; 4 MiB by default. */
  maxLineBytes?: number | undefined;
  /**
   * How many requests are worked on at once; 1,000 by default. Subscriptions do not count, see
   * `subscriptions.maxOpen`.
   */
  maxInFlight?: number | undefined;
  /**
   * How long calls in flight may go on when the client has closed its side or the process is told to
   * end, and how long a client may take to read what is left; 5 seconds by default. One that has closed
   * its side and reads on is answered everything first.
   */
  graceMs?: number | undefined;
  /**
   * How much may wait for a client that reads slowly; 1 MiB by default. Beyond it nothing more is
   * worked on, and no more is read ahead than `maxLineBytes`; progress and log messages are left out,
   * and subscriptions are dropped.
   */
  maxBufferedBytes?: number | undefined;
}

/**
 * Whether clients of earlier revisions are served, which open with `initialize`: not at all, without
 * keeping anything of them, or in sessions, in which they can be asked and told of changes.
 */
export type McpLegacyMode = 'off' | 'stateless' | 'sessions';

/** What sessions of earlier revisions may cost; see `legacy`. */
export interface McpSessionOptions {
  /** How many may be open at once on this instance; 1,000 by default. */
  maxOpen?: number | undefined;
  /** How long one may stay unused; 30 minutes by default. One with an open stream or a call is in use. */
  idleMs?: number | undefined;
  /** How many questions of one may wait for an answer, each for `replay.ttlMs`; 64 by default. */
  maxAsks?: number | undefined;
  /**
   * How long a call goes on when the connection of its stream was lost, for its client to come back with
   * `Last-Event-ID`; 10 seconds by default. What it has missed is kept up to `http.maxBufferedBytes`.
   */
  resumeMs?: number | undefined;
}

/** What `subscriptions/listen` may cost. */
export interface McpSubscriptionOptions {
  /** How many may be open at once on this instance; 1,000 by default. */
  maxOpen?: number | undefined;
  /** How many resources one may watch; 1,000 by default. */
  maxResources?: number | undefined;
}

/** How lists are cut and cached. */
export interface McpListOptions {
  /** Items a page; 100 by default. */
  pageSize?: number | undefined;
  /** How long clients may keep a list; 0 by default. */
  ttlMs?: number | undefined;
  /** Who may keep it; `public` by default, since everybody sees the same. */
  cacheScope?: CacheScope | undefined;
}

/**
 * What a server is made of: the options of `McpModule.forRoot()`, and what the factory of `forRootAsync()` returns.
 */
export interface McpModuleOptions {
  server: McpServerOptions;
  /**
   * How clients reach the server; `['http']` by default. Without `http` no endpoint is mounted, and
   * no HTTP server is needed. With `stdio` the application can be started by `McpStdio.serve()`; of
   * several servers in one application one may have it.
   */
  transports?: readonly McpTransport[] | undefined;
  /** Path of the endpoint; `/mcp` by default. */
  path?: string | undefined;
  replay?: McpReplayOptions | undefined;
  http?: McpHttpOptions | undefined;
  stdio?: McpStdioOptions | undefined;
  /**
   * Serves clients of revisions 2025-11-25, 2025-06-18 and 2025-03-26 beside those of 2026-07-28, at the
   * same endpoint and with the same handlers; `off` by default. Over stdio the connection is the
   * session, with `stateless` too.
   */
  legacy?: McpLegacyMode | undefined;
  sessions?: McpSessionOptions | undefined;
  lists?: McpListOptions | undefined;
  subscriptions?: McpSubscriptionOptions | undefined;
  /**
   * How much a stream, file, buffer or async iterable that a handler returns may hold; 16 MiB by
   * default. All of it is in memory, and some 22 MB of base64 are what a client can be expected to
   * take in one message; more than that is better linked to than sent.
   */
  maxResultBytes?: number | undefined;
  /** Sends the messages of unexpected errors to clients; for development only. */
  exposeErrors?: boolean | undefined;
}

/** Where a seam's implementation comes from: one of the three, as in any Nest provider. */
export type McpSeamProvider<T> = Pick<ModuleMetadata, 'imports'> &
  (
    | { useClass: Type<T> }
    | { useExisting: Type<T> | Abstract<T> | string | symbol }
    | {
        useFactory: (...args: never[]) => T | Promise<T>;
        inject?: (InjectionToken | OptionalFactoryDependency)[];
      }
  );

/** The provider that tells who is calling, declared in place of a token. */
export type McpPrincipalSourceProvider = McpSeamProvider<McpPrincipalSource>;
/** The provider that decides what a caller may know of. */
export type McpVisibilityProvider = McpSeamProvider<McpVisibility>;
/** The provider that carries changes between instances. */
export type McpChangeBusProvider = McpSeamProvider<McpChangeBus>;

/** The provider that hears of every round. */
export type McpObserverProvider = McpSeamProvider<McpObserver>;

/** The provider that remembers which rounds have been played. */
export type McpConversationGuardProvider = McpSeamProvider<McpConversationGuard>;

/** The provider that keeps sessions of earlier revisions. */
export type McpSessionStoreProvider = McpSeamProvider<McpSessionStore>;

/** What is needed when the module is declared, before any options are there. */
export interface McpModuleExtras {
  /**
   * Tells several servers of one application apart: `default` by default. Handlers say which server
   * they belong to with `@McpServer(name)`, or their module does with `McpModule.forFeature(name)`.
   */
  name?: string;
  /** Tells who is calling; by default nobody is known. */
  principalSource?: McpPrincipalSourceProvider;
  /** Decides which handlers a caller may know of; by default everybody knows of all. */
  visibility?: McpVisibilityProvider;
  /** Carries changes between instances; by default within this process only. */
  changeBus?: McpChangeBusProvider;
  /** Hears of every round of a conversation, for spans, metrics or an audit; by default nobody does. */
  observer?: McpObserverProvider;
  /**
   * Remembers which rounds of tools with `once: true` have been played; by default within this process
   * only.
   */
  conversationGuard?: McpConversationGuardProvider;
  /**
   * Keeps the sessions of clients of earlier revisions, see `legacy`; by default they end with this
   * process.
   */
  sessionStore?: McpSessionStoreProvider;
}
