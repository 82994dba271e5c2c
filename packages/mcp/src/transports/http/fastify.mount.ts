import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { HttpServer } from '@nestjs/common';
import { InvalidRequestException } from '../../exceptions/index.js';
import type { HttpEndpoint } from './http.endpoint.js';
import type { HttpRequestView } from './http-port.js';
import { NodeResponsePort } from './node-response.port.js';

/** The parts of Fastify in use; it is the application's dependency, not this package's. */
interface FastifyRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

interface FastifyReply {
  readonly raw: ServerResponse;
  code(status: number): FastifyReply;
  headers(headers: Readonly<Record<string, string>>): FastifyReply;
  getHeaders(): OutgoingHttpHeaders;
  hijack(): FastifyReply;
  send(body?: string): FastifyReply;
}

interface FastifyScope {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    types: string[],
    options: { parseAs: 'string'; bodyLimit: number },
    parser: (
      request: FastifyRequest,
      body: string,
      done: (error: null, body: string) => void,
    ) => void,
  ): void;
  setErrorHandler(
    handler: (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => void,
  ): void;
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): void;
  route(options: {
    method: string[];
    url: string;
    handler: (request: FastifyRequest, reply: FastifyReply) => void;
  }): void;
}

interface FastifyInstance {
  register(plugin: (scope: FastifyScope, options: object, done: () => void) => void): void;
}

/**
 * Serves the endpoint on Nest's Fastify adapter, in a context of its own: its body parser, limit and
 * error answers touch no other route, while the application's hooks (CORS, middleware) apply.
 */
export class FastifyMount {
  constructor(
    private readonly adapter: HttpServer,
    private readonly endpoint: HttpEndpoint,
  ) {}

  mount(path: string): void {
    const instance = this.adapter.getInstance() as FastifyInstance;
    instance.register((scope, _options, done) => {
      this.define(scope, path);
      done();
    });
  }

  private define(scope: FastifyScope, url: string): void {
    const { endpoint } = this;
    scope.removeAllContentTypeParsers();
    // Named beside all others: Fastify reads the header anew for every request of a type without a name.
    scope.addContentTypeParser(
      ['application/json', '*'],
      { parseAs: 'string', bodyLimit: endpoint.maxBodyBytes },
      (_request, body, parsed) => parsed(null, body),
    );
    scope.setErrorHandler((error, _request, reply) => {
      const port = new FastifyResponsePort(reply);
      if (error.statusCode === 413) endpoint.refuseBody(port);
      else if (error.statusCode !== undefined && error.statusCode < 500) {
        endpoint.refuse(
          new InvalidRequestException('The body could not be read.', error.statusCode),
          port,
        );
      } else endpoint.refuse(error, port);
    });
    scope.addHook('onRequest', (request, reply, next) => {
      if (endpoint.admit(view(request), new FastifyResponsePort(reply))) next();
    });
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      handler: (request, reply) => {
        const body = typeof request.body === 'string' ? request.body : '';
        void endpoint.answer(body, view(request), new FastifyResponsePort(reply));
      },
    });
  }
}

/** Plain answers go through Fastify, for its `onSend` hooks; streams go past it. */
class FastifyResponsePort extends NodeResponsePort {
  constructor(private readonly reply: FastifyReply) {
    super(reply.raw);
  }

  override json(
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.reply
      .code(status)
      .headers({ 'Content-Type': 'application/json', ...headers })
      .send(body);
  }

  override empty(status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.reply.code(status).headers(headers).send();
  }

  override openStream(): void {
    this.reply.hijack();
    super.openStream();
  }

  protected override inheritedHeaders(): OutgoingHttpHeaders {
    return this.reply.getHeaders();
  }
}

function view(request: FastifyRequest): HttpRequestView {
  return { method: request.method, headers: request.headers, request };
}
