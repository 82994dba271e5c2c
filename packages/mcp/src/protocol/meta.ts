import type { ClientCapabilities } from './capabilities.js';
import type { Implementation } from './implementation.js';
import type { LogLevel } from './logging.js';
import type { ProgressToken } from './progress.js';

/**
 * Reserved keys of `_meta`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#meta
 */
export const MetaKey = {
  ProtocolVersion: 'io.modelcontextprotocol/protocolVersion',
  ClientInfo: 'io.modelcontextprotocol/clientInfo',
  ClientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  LogLevel: 'io.modelcontextprotocol/logLevel',
  ServerInfo: 'io.modelcontextprotocol/serverInfo',
  SubscriptionId: 'io.modelcontextprotocol/subscriptionId',
  ProgressToken: 'progressToken',
} as const;

/** Free metadata attached to tools, prompts, resources, content and results. */
export type MetaObject = Record<string, unknown>;

/** `_meta` of every request. */
export interface RequestMeta extends MetaObject {
  progressToken?: ProgressToken;
  'io.modelcontextprotocol/protocolVersion': string;
  'io.modelcontextprotocol/clientInfo'?: Implementation;
  'io.modelcontextprotocol/clientCapabilities': ClientCapabilities;
  /** Asks for log messages of this request, at this level and above. */
  'io.modelcontextprotocol/logLevel'?: LogLevel;
}
