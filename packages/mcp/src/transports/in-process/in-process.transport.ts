import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ResolvedOptions } from '../../options/index.js';
import { RequestStateCodec } from '../../replay/index.js';
import { McpDispatcher } from '../../server/index.js';
import { InProcessConnection } from './in-process.connection.js';
import type { InProcessOrigin } from './in-process.exchange.js';

/** Serves clients that live in the same process as the server. */
@Injectable()
export class InProcessTransport implements OnModuleInit {
  private isReady = false;

  constructor(
    private readonly dispatcher: McpDispatcher,
    private readonly codec: RequestStateCodec,
    private readonly options: ResolvedOptions,
  ) {}

  onModuleInit(): void {
    this.isReady = true;
  }

  /** Which of the application's servers this is. */
  get server(): string {
    return this.options.name;
  }

  connect(origin: InProcessOrigin): InProcessConnection {
    const { dispatcher, codec } = this;
    return new InProcessConnection({ dispatcher, codec, isReady: () => this.isReady }, origin);
  }
}
