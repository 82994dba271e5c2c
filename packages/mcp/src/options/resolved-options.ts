import { InvalidOptionsException } from '../exceptions/index.js';
import type { McpTransport } from '../exchange/index.js';
import { DEFAULT_SERVER, LOOPBACK_HOSTS, MAX_TIMER_MS } from '../mcp.constants.js';
import { type CacheScope, type Implementation, isJsonObject } from '../protocol/index.js';
import { iconsFault } from '../schema/index.js';
import type { ReplayLimits } from '../replay/index.js';
import type {
  McpHttpOptions,
  McpLegacyMode,
  McpListOptions,
  McpModuleOptions,
  McpReplayOptions,
  McpServerOptions,
  McpSessionOptions,
  McpStdioOptions,
  McpSubscriptionOptions,
} from './mcp-module-options.interface.js';
import { checkServerName } from './server-name.js';

type Names<T> = readonly Extract<keyof T, string>[];

const OPTION_NAMES = {
  module: [
    'server',
    'path',
    'transports',
    'replay',
    'http',
    'stdio',
    'legacy',
    'sessions',
    'lists',
    'subscriptions',
    'maxResultBytes',
    'exposeErrors',
  ] satisfies Names<McpModuleOptions>,
  replay: [
    'secret',
    'ttlMs',
    'maxAgeMs',
    'maxRounds',
    'maxStateBytes',
    'maxAttempts',
    'maxEntryBytes',
    'resultTtlMs',
    'onMismatch',
    'answers',
  ] satisfies Names<McpReplayOptions>,
  http: [
    'maxBodyBytes',
    'allowedOrigins',
    'allowedHosts',
    'useGlobalPrefix',
    'keepAliveMs',
    'maxBufferedBytes',
  ] satisfies Names<McpHttpOptions>,
  stdio: [
    'maxLineBytes',
    'maxInFlight',
    'graceMs',
    'maxBufferedBytes',
  ] satisfies Names<McpStdioOptions>,
  lists: ['pageSize', 'ttlMs', 'cacheScope'] satisfies Names<McpListOptions>,
  sessions: ['maxOpen', 'idleMs', 'maxAsks', 'resumeMs'] satisfies Names<McpSessionOptions>,
  subscriptions: ['maxOpen', 'maxResources'] satisfies Names<McpSubscriptionOptions>,
};

/** What is checked when the options have no `server` at all. */
const NAMELESS: McpServerOptions = { name: '', version: '' };

export interface ResolvedListOptions {
  readonly pageSize: number;
  readonly ttlMs: number;
  readonly cacheScope: CacheScope;
}

export interface ResolvedHttpOptions {
  readonly path: string;
  readonly maxBodyBytes: number;
  /** `undefined`: the pages of this machine. */
  readonly allowedOrigins: readonly string[] | undefined;
  readonly allowedHosts: readonly string[];
  readonly useGlobalPrefix: boolean;
  readonly keepAliveMs: number;
  readonly maxBufferedBytes: number;
}

export interface ResolvedStdioOptions {
  readonly maxLineBytes: number;
  readonly maxInFlight: number;
  readonly graceMs: number;
  readonly maxBufferedBytes: number;
}

export interface ResolvedSessionOptions {
  readonly maxOpen: number;
  readonly idleMs: number;
  readonly maxAsks: number;
  readonly resumeMs: number;
}

export interface ResolvedSubscriptionOptions {
  readonly maxOpen: number;
  readonly maxResources: number;
}

/** The options with every default filled in, checked. An injection token too. */
export class ResolvedOptions {
  readonly serverInfo: Implementation;
  readonly instructions: string | undefined;
  readonly secret: string | readonly string[] | undefined;
  readonly replay: ReplayLimits;
  readonly transports: readonly McpTransport[];
  readonly http: ResolvedHttpOptions;
  readonly stdio: ResolvedStdioOptions;
  readonly legacy: McpLegacyMode;
  readonly sessions: ResolvedSessionOptions;
  readonly lists: ResolvedListOptions;
  readonly subscriptions: ResolvedSubscriptionOptions;
  readonly maxResultBytes: number;
  readonly exposeErrors: boolean;

  /** @throws InvalidOptionsException naming the option and the mend */
  constructor(
    options: McpModuleOptions,
    /** Which of the application's servers this is. */
    readonly name: string = DEFAULT_SERVER,
  ) {
    checkServerName('name', name);
    const { instructions, ...serverInfo } =
      (options.server as McpServerOptions | undefined) ?? NAMELESS;
    for (const member of ['name', 'version'] as const) {
      if (typeof serverInfo[member] !== 'string' || serverInfo[member] === '') {
        throw new InvalidOptionsException(
          `server.${member}`,
          'is missing',
          'Give the server a name and a version',
        );
      }
    }
    checkIcons(serverInfo.icons);
    this.serverInfo = serverInfo;
    this.instructions = instructions;
    refuseUnknown('', options, OPTION_NAMES.module);
    const replay = group('replay', options.replay, OPTION_NAMES.replay);
    const http = group('http', options.http, OPTION_NAMES.http);
    const stdio = group('stdio', options.stdio, OPTION_NAMES.stdio);
    const sessions = group('sessions', options.sessions, OPTION_NAMES.sessions);
    const lists = group('lists', options.lists, OPTION_NAMES.lists);
    const subscriptions = group('subscriptions', options.subscriptions, OPTION_NAMES.subscriptions);
    this.secret = replay.secret;
    this.replay = {
      ttlMs: count('replay.ttlMs', replay.ttlMs, 300_000, 1),
      maxAgeMs: count('replay.maxAgeMs', replay.maxAgeMs, 3_600_000, 1),
      maxRounds: count('replay.maxRounds', replay.maxRounds, 64, 1),
      maxStateBytes: count('replay.maxStateBytes', replay.maxStateBytes, 65_536, 1),
      maxAttempts: count('replay.maxAttempts', replay.maxAttempts, 3, 1),
      maxEntryBytes: count('replay.maxEntryBytes', replay.maxEntryBytes, 16_384, 1),
      resultTtlMs: count('replay.resultTtlMs', replay.resultTtlMs, 300_000, 1),
      onMismatch: oneOf('replay.onMismatch', replay.onMismatch, ['reject', 'restart']),
      answers: oneOf('replay.answers', replay.answers, ['strict', 'lenient']),
    };
    this.transports = transports(options.transports);
    this.http = {
      path: path(options.path ?? '/mcp'),
      maxBodyBytes: count('http.maxBodyBytes', http.maxBodyBytes, 4_194_304, 1),
      allowedOrigins: list('http.allowedOrigins', http.allowedOrigins, isOrigin),
      allowedHosts: list('http.allowedHosts', http.allowedHosts)?.map(lowerCase) ?? LOOPBACK_HOSTS,
      useGlobalPrefix: http.useGlobalPrefix ?? false,
      keepAliveMs: count('http.keepAliveMs', http.keepAliveMs, 15_000, 0, MAX_TIMER_MS),
      maxBufferedBytes: count('http.maxBufferedBytes', http.maxBufferedBytes, 1_048_576, 1),
    };
    this.stdio = {
      maxLineBytes: count('stdio.maxLineBytes', stdio.maxLineBytes, 4_194_304, 1),
      maxInFlight: count('stdio.maxInFlight', stdio.maxInFlight, 1_000, 1),
      graceMs: count('stdio.graceMs', stdio.graceMs, 5_000, 0, MAX_TIMER_MS),
      maxBufferedBytes: count('stdio.maxBufferedBytes', stdio.maxBufferedBytes, 1_048_576, 1),
    };
    this.legacy = oneOf('legacy', options.legacy, ['off', 'stateless', 'sessions']);
    this.sessions = {
      maxOpen: count('sessions.maxOpen', sessions.maxOpen, 1_000, 1),
      idleMs: count('sessions.idleMs', sessions.idleMs, 1_800_000, 1),
      maxAsks: count('sessions.maxAsks', sessions.maxAsks, 64, 1),
      resumeMs: count('sessions.resumeMs', sessions.resumeMs, 10_000, 0, MAX_TIMER_MS),
    };
    this.lists = {
      pageSize: count('lists.pageSize', lists.pageSize, 100, 1),
      ttlMs: count('lists.ttlMs', lists.ttlMs, 0, 0),
      cacheScope: oneOf('lists.cacheScope', lists.cacheScope, ['public', 'private']),
    };
    this.subscriptions = {
      maxOpen: count('subscriptions.maxOpen', subscriptions.maxOpen, 1_000, 0),
      maxResources: count('subscriptions.maxResources', subscriptions.maxResources, 1_000, 0),
    };
    this.maxResultBytes = count('maxResultBytes', options.maxResultBytes, 16_777_216, 1);
    this.exposeErrors = options.exposeErrors ?? false;
  }

  /** Tells log lines of several servers apart; empty for the one without a name. */
  get logPrefix(): string {
    return this.name === DEFAULT_SERVER ? '' : `Server ${this.name}: `;
  }

  /**
   * What tokens and changes of this server carry, so that none of another server passes for one of
   * it, even where both share a key or a bus.
   */
  get scope(): string {
    const { name, serverInfo } = this;
    return name === DEFAULT_SERVER ? serverInfo.name : JSON.stringify([serverInfo.name, name]);
  }
}

const TRANSPORTS: readonly McpTransport[] = ['http', 'stdio'];

function transports(value: readonly McpTransport[] = ['http']): readonly McpTransport[] {
  const fits =
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((transport) => TRANSPORTS.includes(transport as McpTransport)) &&
    new Set(value).size === value.length;
  if (fits) return value as readonly McpTransport[];
  throw new InvalidOptionsException(
    'transports',
    `is ${JSON.stringify(value)}`,
    'Give a list of "http", "stdio" or both',
  );
}

function checkIcons(icons: unknown): void {
  const fault = icons === undefined ? undefined : iconsFault(icons);
  if (fault !== undefined) {
    throw new InvalidOptionsException('server.icons', `cannot be used: ${fault.fact}`, fault.mend);
  }
}

function count(
  option: string,
  value: number | undefined,
  fallback: number,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new InvalidOptionsException(
      option,
      `is ${String(value)}`,
      value > most ? `Give an integer of at most ${most}` : `Give an integer of at least ${least}`,
    );
  }
  return value;
}

/** A misspelt option would be ignored; types do not catch it in what a factory returns. */
function refuseUnknown(prefix: string, value: object, names: readonly string[]): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InvalidOptionsException(
    `${prefix}${unknown}`,
    'is not known',
    `Use one of ${names.join(', ')}`,
  );
}

/** A group of options; none is as good as an empty one. */
function group<T extends object>(
  option: string,
  value: T | undefined,
  names: readonly string[],
): Partial<T> {
  if (value === undefined) return {};
  if (isJsonObject(value)) {
    refuseUnknown(`${option}.`, value, names);
    return value;
  }
  throw new InvalidOptionsException(option, 'is not an object', 'Give an object, or leave it out');
}

function list(
  option: string,
  value: readonly string[] | undefined,
  fits: (item: string) => boolean = () => true,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) {
    throw new InvalidOptionsException(option, 'is not a list of strings', 'Give a list of strings');
  }
  const misfit = value.find((item) => !fits(item));
  if (misfit === undefined) return value;
  throw new InvalidOptionsException(
    option,
    `has ${JSON.stringify(misfit)}, which no browser sends`,
    'Give scheme, host and port only, such as "https://app.example.com"',
  );
}

function isOrigin(text: string): boolean {
  return text === '*' || text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function oneOf<const T extends string>(
  option: string,
  value: T | undefined,
  allowed: readonly [T, ...T[]],
): T {
  if (value === undefined) return allowed[0];
  if (!allowed.includes(value)) {
    throw new InvalidOptionsException(
      option,
      `is ${JSON.stringify(value)}`,
      `Use ${allowed.map((word) => JSON.stringify(word)).join(' or ')}`,
    );
  }
  return value;
}

function path(value: string): string {
  if (!/^(?:\/[A-Za-z0-9._~-]+)+$/.test(value)) {
    throw new InvalidOptionsException(
      'path',
      `is ${JSON.stringify(value)}`,
      'Use a plain path such as "/mcp"',
    );
  }
  return value;
}
