import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpServer } from '@nestjs/common';
import type { RequestHandler } from '@nestjs/common/interfaces/http/http-server.interface.js';
import type { HttpEndpoint } from './http.endpoint.js';
import type { HttpRequestView } from './http-port.js';
import { NodeResponsePort } from './node-response.port.js';

/** A request as Express passes it on. */
interface ExpressRequest extends IncomingMessage {
  readonly path: string;
  readonly method: string;
  /** What a body parser of the application has made of the body. */
  body?: unknown;
  [BODY]?: string;
}

type Next = () => void;
type Middleware = (request: ExpressRequest, response: ServerResponse, next: Next) => void;

const BODY = Symbol('dacapo:body');

/**
 * Serves the endpoint on Nest's Express adapter.
 *
 * 1. The body is read here, before the application's parsers, which would otherwise decide its limit
 *    and answer bad JSON in their own way; they skip what has been read.
 * 2. What the application puts before its routes (CORS, middleware) runs between reading and
 *    answering, as for a controller.
 * 3. Reading stops at the limit, and the connection with it.
 */
export class ExpressMount {
  private path?: string;

  constructor(
    private readonly adapter: HttpServer,
    private readonly endpoint: HttpEndpoint,
  ) {
    const reader: Middleware = (request, response, next) => {
      if (!this.serves(request)) next();
      else if (this.endpoint.admit(view(request), new NodeResponsePort(response))) {
        this.read(request, response, next);
      }
    };
    adapter.use(reader as RequestHandler);
  }

  /** Adds the route; from here on the path is served. */
  mount(path: string): void {
    this.path = path;
    const route: Middleware = (request, response, next) => {
      const port = new NodeResponsePort(response);
      const body = request[BODY];
      if (request.method === 'OPTIONS') next();
      else if (body !== undefined) void this.endpoint.answer(body, view(request), port);
      // Read by somebody before: a parser that was added to the Express instance itself.
      else if (this.endpoint.admit(view(request), port)) {
        void this.endpoint.answerParsed(request.body, view(request), port);
      }
    };
    this.adapter.all(path, route as RequestHandler);
  }

  /** Compares as Express does by default: case and a trailing slash do not matter. */
  private serves(request: ExpressRequest): boolean {
    if (this.path === undefined || request.method === 'OPTIONS') return false;
    const path = request.path.toLowerCase();
    const expected = this.path.toLowerCase();
    return (path === expected || path === `${expected}/`) && !request.readableEnded;
  }

  private read(request: ExpressRequest, response: ServerResponse, next: Next): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= this.endpoint.maxBodyBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take).off('end', finish).pause();
      response.setHeader('Connection', 'close');
      this.endpoint.refuseBody(new NodeResponsePort(response));
    };
    const finish = (): void => {
      // Decoded as a whole: a character may be split over chunks.
      request[BODY] = Buffer.concat(chunks).toString('utf8');
      next();
    };
    request.on('data', take).on('end', finish);
  }
}

function view(request: ExpressRequest): HttpRequestView {
  return { method: request.method, headers: request.headers, request };
}
