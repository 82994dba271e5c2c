import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { McpSessionStore } from './exchange/index.js';
import { MCP_CLOCK } from './mcp.providers.js';
import { ResolvedOptions } from './options/index.js';
import { McpDispatcher } from './server/index.js';
import type { EarlierHttpClients } from './transports/earlier-clients.js';
import { HttpEndpoint } from './transports/http/index.js';
import { StdioTransport } from './transports/stdio/index.js';

/** Loads what serves clients of earlier revisions, where an option wants it; nothing of it otherwise. */
@Injectable()
export class McpEarlierClients implements BeforeApplicationShutdown {
  private clients: EarlierHttpClients | undefined;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly dispatcher: McpDispatcher,
    private readonly endpoint: HttpEndpoint,
    private readonly stdio: StdioTransport,
    @Inject(MCP_CLOCK) private readonly now: () => number,
    @Inject(McpSessionStore) private readonly store: McpSessionStore | null,
  ) {}

  async load(): Promise<void> {
    const { options, dispatcher, now, store } = this;
    if (options.legacy === 'off') return;
    const { earlierConnections, earlierHttpClients } = await import('./transports/legacy/index.js');
    this.clients = earlierHttpClients(options.legacy, dispatcher, options, now, store ?? undefined);
    this.endpoint.serveEarlier(this.clients);
    this.stdio.serveEarlier(earlierConnections(dispatcher, options));
  }

  /** Their standing streams would keep the HTTP server from closing. */
  beforeApplicationShutdown(): void {
    this.clients?.close();
  }
}
