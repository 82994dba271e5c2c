import type { ResolvedOptions } from '../../options/index.js';
import type { McpDispatcher } from '../../server/index.js';
import type { EarlierHttpClients, MakeEarlierConnection } from '../earlier-clients.js';
import type { McpSessionStore } from '../../exchange/index.js';
import { SessionClients } from './session.clients.js';
import { StatelessClients } from './stateless.clients.js';
import { StdioClient } from './stdio.client.js';

/** What serves clients of earlier revisions over HTTP. @param now epoch milliseconds */
export function earlierHttpClients(
  mode: 'stateless' | 'sessions',
  dispatcher: McpDispatcher,
  options: ResolvedOptions,
  now: () => number,
  store?: McpSessionStore,
): EarlierHttpClients {
  switch (mode) {
    case 'stateless':
      return new StatelessClients(dispatcher, options);
    case 'sessions':
      return new SessionClients(dispatcher, options, now, store);
  }
}

/** What serves a client of an earlier revision over streams. */
export function earlierConnections(
  dispatcher: McpDispatcher,
  options: ResolvedOptions,
): MakeEarlierConnection {
  return (tell) => new StdioClient(dispatcher, options, tell);
}
