import { Injectable, Logger } from '@nestjs/common';
import {
  errorAsJson,
  InternalErrorException,
  McpException,
  MethodNotFoundException,
} from '../exceptions/index.js';
import { McpExchange, type McpOrigin } from '../exchange/index.js';
import { toDenial } from '../features/call-errors.js';
import { isPending } from '../protocol/is-pending.js';
import { ResolvedOptions } from '../options/index.js';
import {
  type Awaitable,
  type JsonRpcErrorResponse,
  type JsonRpcRequest,
  type RequestId,
  type Result,
} from '../protocol/index.js';
import { McpPrincipalSource } from '../replay/index.js';
import { readEnvelope } from './envelope.js';
import { MethodTable } from './method-table.js';
import { ResponseWriter } from './response-writer.js';

/** A finished answer, for any transport. */
export interface McpReply {
  /** Status of a plain HTTP answer. */
  readonly httpStatus: number;
  /** Headers that go with it. */
  readonly httpHeaders: Readonly<Record<string, string>>;
  /** One JSON-RPC response on one line. */
  readonly body: string;
}

/**
 * Answers requests, whatever carried them.
 *
 * 1. Checks come in one order: envelope, version, principal, method; the feature goes on with
 *    handler, guards, state and answers, arguments.
 * 2. Every request gets exactly one answer, with its own id; nothing thrown escapes.
 * 3. Unexpected errors are logged here and masked there.
 */
@Injectable()
export class McpDispatcher {
  private readonly logger = new Logger('McpDispatcher');
  private readonly writer: ResponseWriter;

  constructor(
    { serverInfo }: ResolvedOptions,
    private readonly principals: McpPrincipalSource,
    private readonly methods: MethodTable,
  ) {
    this.writer = new ResponseWriter(serverInfo);
  }

  /** The member of params that names the target of a method, where it has one. */
  namedBy(method: string): string | undefined {
    return this.methods.get(method)?.namedBy;
  }

  async handle(request: JsonRpcRequest, origin: McpOrigin): Promise<McpReply> {
    try {
      const result = await this.dispatch(request, origin);
      // What a handler returned may still turn out not to be JSON.
      return { httpStatus: 200, httpHeaders: {}, body: this.writer.write(request.id, result) };
    } catch (error) {
      return errorReply(this.toMcpException(error), request.id);
    }
  }

  /**
   * The result of a request, for what writes its answers otherwise.
   * @throws McpException
   */
  async result(request: JsonRpcRequest, origin: McpOrigin): Promise<Result> {
    try {
      return await this.dispatch(request, origin);
    } catch (error) {
      throw this.toMcpException(error);
    }
  }

  /**
   * Who sends a request, where its method does not matter.
   * @throws McpException what the principal source turns it away with
   */
  async principalOf(request: JsonRpcRequest, origin: McpOrigin): Promise<string | null> {
    return this.identify(exchangeOf(request, origin));
  }

  private dispatch(request: JsonRpcRequest, origin: McpOrigin): Awaitable<Result> {
    const { params = {} } = request;
    const exchange = exchangeOf(request, origin);
    const method = this.methods.get(request.method);
    if (method === undefined) throw new MethodNotFoundException(request.method);
    if (!method.identify) return method.handle(exchange, params);
    const handle = (principal: string | null): Awaitable<Result> => {
      exchange.principal = principal;
      return method.handle(exchange, params);
    };
    const principal = this.identify(exchange);
    return isPending(principal) ? principal.then(handle) : handle(principal);
  }

  private identify(exchange: McpExchange): Awaitable<string | null> {
    try {
      const principal = this.principals.currentPrincipal(exchange);
      return isPending(principal)
        ? Promise.resolve(principal)
            .then(checkPrincipal)
            .catch((error: unknown) => this.deny(error))
        : checkPrincipal(principal);
    } catch (error) {
      return this.deny(error);
    }
  }

  private deny(error: unknown): never {
    const denial = toDenial(error);
    if (denial instanceof InternalErrorException) this.logger.error(error);
    throw denial;
  }

  private toMcpException(error: unknown): McpException {
    if (error instanceof McpException) return error;
    this.logger.error(error);
    return new InternalErrorException();
  }
}

/** @throws InvalidParamsException | UnsupportedProtocolVersionException for the envelope */
function exchangeOf({ id, method, params }: JsonRpcRequest, origin: McpOrigin): McpExchange {
  const { protocolVersion, client, meta } = readEnvelope(params);
  return new McpExchange(id, method, protocolVersion, client, meta, origin);
}

/** A principal that cannot be compared after a round trip would lock its caller out. */
function checkPrincipal(principal: unknown): string | null {
  if (typeof principal === 'string' || principal === null) return principal;
  throw new TypeError(
    `The principal source answered with ${typeof principal}. Answer with a string, or null for nobody.`,
  );
}

/** The answer to a request that failed, or to a message that was none. */
export function errorReply(exception: McpException, id?: RequestId): McpReply {
  const { httpStatus, httpHeaders } = exception;
  return { httpStatus, httpHeaders, body: errorBody(exception, id) };
}

function errorBody(exception: McpException, id: RequestId | undefined): string {
  const response: JsonRpcErrorResponse = {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: errorAsJson(exception),
  };
  return JSON.stringify(response);
}
