import { type HttpServer, Injectable, Logger } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { InvalidOptionsException } from '../../exceptions/index.js';
import { endpointPath, ResolvedOptions } from '../../options/index.js';
import { ExpressMount } from './express.mount.js';
import { FastifyMount } from './fastify.mount.js';
import { HttpEndpoint } from './http.endpoint.js';

/**
 * Puts the endpoint on the application's HTTP server. An application without one
 * (`NestFactory.createApplicationContext`) has no endpoint, nor has a server whose `transports` lack
 * `http`.
 */
@Injectable()
export class HttpTransport {
  private readonly logger = new Logger('McpHttp');
  private mounted?: ExpressMount | FastifyMount;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: ApplicationConfig,
    private readonly endpoint: HttpEndpoint,
    private readonly options: ResolvedOptions,
  ) {
    if (!options.transports.includes('http')) return;
    // The adapter may be chosen after the module is built, as in tests; Express needs its reader in
    // place before the application adds parsers.
    adapterHost.init$.subscribe(() => this.attach());
  }

  /** Adds the route. Called once, when every handler is known. */
  mount(): void {
    const path = endpointPath(this.options.http, this.config.getGlobalPrefix());
    this.mounted?.mount(path);
    if (this.mounted !== undefined) this.logger.log(`Serving MCP at ${path}`);
  }

  private attach(): void {
    // Null in an application without an HTTP server, which Nest's types do not tell.
    const httpAdapter = this.adapterHost.httpAdapter as HttpServer | null;
    if (httpAdapter === null) return;
    switch (httpAdapter.getType()) {
      case 'express':
        this.mounted = new ExpressMount(httpAdapter, this.endpoint);
        break;
      case 'fastify':
        this.mounted = new FastifyMount(httpAdapter, this.endpoint);
        break;
      default:
        throw new InvalidOptionsException(
          'path',
          `cannot be served on the HTTP adapter "${httpAdapter.getType()}"`,
          'Use @nestjs/platform-express or @nestjs/platform-fastify',
        );
    }
  }
}
