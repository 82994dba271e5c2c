import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { McpDispatcher } from '../../server/index.js';
import type { MakeEarlierConnection } from '../earlier-clients.js';
import type { LineWriter } from './line-writer.js';
import { StdioConnection } from './stdio.connection.js';

/**
 * Serves the clients on the other end of a pair of streams.
 *
 * On shutdown calls end first, before anything they use is destroyed, then subscriptions, with their
 * final response, and the connections last.
 */
@Injectable()
export class StdioTransport implements OnModuleDestroy, OnApplicationShutdown {
  private readonly connections = new Set<StdioConnection>();
  private earlier: MakeEarlierConnection | undefined;

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly options: ResolvedOptions,
  ) {}

  /** Whether `transports` has `stdio`. */
  get enabled(): boolean {
    return this.options.transports.includes('stdio');
  }

  /** Serves clients of earlier revisions too. */
  serveEarlier(earlier: MakeEarlierConnection): void {
    this.earlier = earlier;
  }

  /** @throws InvalidOptionsException */
  connect(input: Readable, output: LineWriter): StdioConnection {
    if (!this.enabled) {
      throw new InvalidOptionsException(
        'transports',
        'has no "stdio"',
        'Write transports: ["stdio"], or ["http", "stdio"] for both',
      );
    }
    const connection = new StdioConnection(
      input,
      output,
      this.dispatcher,
      this.options.stdio,
      this.earlier,
    );
    this.connections.add(connection);
    void connection.closed.then(() => this.connections.delete(connection));
    return connection;
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.drain()));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.connections].map((connection) => connection.close()));
  }
}
