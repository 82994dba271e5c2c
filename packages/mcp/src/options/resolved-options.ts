import { InvalidOptionsException } from '../exceptions/index.js';
import type { CacheScope, Implementation } from '../protocol/index.js';
import type { ReplayLimits } from '../replay/index.js';
import type { McpModuleOptions, McpServerOptions } from './mcp-module-options.interface.js';

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
}

/** The options with every default filled in, checked. An injection token too. */
export class ResolvedOptions {
  readonly serverInfo: Implementation;
  readonly instructions: string | undefined;
  readonly secret: string | readonly string[] | undefined;
  readonly replay: ReplayLimits;
  readonly http: ResolvedHttpOptions;
  readonly lists: ResolvedListOptions;
  readonly exposeErrors: boolean;

  /** @throws InvalidOptionsException naming the option and the mend */
  constructor(options: McpModuleOptions) {
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
    this.serverInfo = serverInfo;
    this.instructions = instructions;
    const { replay = {}, http = {}, lists = {} } = options;
    this.secret = replay.secret;
    this.replay = {
      ttlMs: count('replay.ttlMs', replay.ttlMs, 300_000, 1),
      maxAgeMs: count('replay.maxAgeMs', replay.maxAgeMs, 3_600_000, 1),
      maxRounds: count('replay.maxRounds', replay.maxRounds, 64, 1),
      maxStateBytes: count('replay.maxStateBytes', replay.maxStateBytes, 65_536, 1),
      answers: oneOf('replay.answers', replay.answers, ['strict', 'lenient']),
    };
    this.http = {
      path: path(options.path ?? '/mcp'),
      maxBodyBytes: count('http.maxBodyBytes', http.maxBodyBytes, 4_194_304, 1),
      allowedOrigins: http.allowedOrigins,
      allowedHosts: http.allowedHosts ?? ['localhost', '127.0.0.1', '[::1]'],
      useGlobalPrefix: http.useGlobalPrefix ?? false,
      keepAliveMs: count('http.keepAliveMs', http.keepAliveMs, 15_000, 0),
    };
    this.lists = {
      pageSize: count('lists.pageSize', lists.pageSize, 100, 1),
      ttlMs: count('lists.ttlMs', lists.ttlMs, 0, 0),
      cacheScope: oneOf('lists.cacheScope', lists.cacheScope, ['public', 'private']),
    };
    this.exposeErrors = options.exposeErrors ?? false;
  }
}

function count(option: string, value: number | undefined, fallback: number, least: number): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidOptionsException(
      option,
      `is ${String(value)}`,
      `Give an integer of at least ${least}`,
    );
  }
  return value;
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
