import type { Revision } from './legacy-client.js';
import { EventStream } from './event-stream.js';
import { post, type WireResponse } from './wire.js';

/** Requests of earlier revisions as they travel, for what the official client would never send. */
export interface LegacyWireOptions {
  session?: string | undefined;
  id?: string | number;
  headers?: Record<string, string | undefined>;
}

export interface OpenSessionOptions {
  revision?: Revision;
  capabilities?: object;
  headers?: Record<string, string>;
  /** Whether the client says that it is ready; it does, unless it is told not to. */
  ready?: boolean;
}

/** Posts anything. */
export function postLegacy(
  url: string,
  message: unknown,
  { session, headers }: LegacyWireOptions = {},
): Promise<WireResponse> {
  return post(url, JSON.stringify(message), { 'mcp-session-id': session, ...headers });
}

/** Sends a request. */
export function sendLegacy(
  url: string,
  method: string,
  params: object = {},
  { id = 1, ...options }: LegacyWireOptions = {},
): Promise<WireResponse> {
  return postLegacy(url, { jsonrpc: '2.0', id, method, params }, options);
}

/** Sends a notification. */
export function notifyLegacy(
  url: string,
  method: string,
  params: object = {},
  options: LegacyWireOptions = {},
): Promise<WireResponse> {
  return postLegacy(url, { jsonrpc: '2.0', method, params }, options);
}

/** Sends a request whose answer is read message by message. */
export function streamLegacy(
  url: string,
  method: string,
  params: object = {},
  { session, headers, id = 1 }: LegacyWireOptions = {},
): Promise<EventStream> {
  return EventStream.request(
    url,
    withSession(session, {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    }),
    JSON.stringify({ jsonrpc: '2.0', id, method, params }),
  );
}

/** Opens the standing stream of a session, or goes on with another one. */
export function standLegacy(
  url: string,
  session: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  return EventStream.request(
    url,
    withSession(session, { accept: 'text/event-stream', ...headers }),
  );
}

/** Says what opens a session. */
export function initialize(
  url: string,
  { revision = '2025-11-25', capabilities = {}, headers = {} }: OpenSessionOptions = {},
): Promise<WireResponse> {
  const clientInfo = { name: 'wire', version: '1.0.0' };
  const params = { protocolVersion: revision, capabilities, clientInfo };
  return sendLegacy(url, 'initialize', params, { headers });
}

/** Opens a session, and resolves with its id. */
export async function openSession(url: string, options: OpenSessionOptions = {}): Promise<string> {
  const answer = await initialize(url, options);
  const session = answer.headers.get('mcp-session-id');
  if (session === null) throw new Error(`expected a session, got ${answer.text}`);
  const { ready = true, headers = {} } = options;
  if (ready) await notifyLegacy(url, 'notifications/initialized', {}, { session, headers });
  return session;
}

/** Ends a session. */
export function endSession(
  url: string,
  session: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session, ...headers } });
}

function withSession(
  session: string | undefined,
  headers: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries({ ...headers, 'mcp-session-id': session }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}
