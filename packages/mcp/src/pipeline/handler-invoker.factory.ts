import { Injectable, Logger } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ContextId } from '@nestjs/core/injector/instance-wrapper.js';
import { Injector } from '@nestjs/core/injector/injector.js';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';
import type { HandlerHost } from '../discovery/index.js';
import type { McpExchange } from '../exchange/index.js';
import { MCP_CONTEXT_TYPE, ROUTE_ARGS_METADATA } from '../mcp.constants.js';
import { attachReplay } from './handler-enhancers.js';
import type { HandlerCall } from './handler-call.js';
import { McpParamsFactory } from './mcp-params.factory.js';

/** Runs a call through guards, interceptors, pipes, the handler and filters. */
export type HandlerInvoker = (call: HandlerCall) => Promise<unknown>;

type Pipeline = (...args: unknown[]) => Promise<unknown>;
type Instance = Record<string, (...args: unknown[]) => unknown>;

const paramsFactory = new McpParamsFactory();

/**
 * Builds Nest pipelines for handlers.
 *
 * 1. A pipeline of a static provider is built once, at its first call, so that everything
 *    `app.useGlobal…()` added before then applies.
 * 2. A provider with anything request-scoped in its tree, a global guard included, gets a pipeline
 *    and instances of its own for every request; `REQUEST` is the exchange.
 * 3. A method that the instance has replaced keeps the metadata of the one it replaces.
 * 4. The module that holds the class resolves its enhancers. Nest looks for that module among
 *    providers only; for a controller it is named, or its guards would silently not run.
 */
@Injectable()
export class HandlerInvokerFactory {
  private readonly logger = new Logger('McpHandler');
  private readonly injector = new Injector();

  constructor(
    private readonly contextCreator: ExternalContextCreator,
    private readonly moduleRef: ModuleRef,
  ) {}

  create(host: HandlerHost): HandlerInvoker {
    attachReplay((host.classRef.prototype as Instance)[host.methodName] as object);
    if (!host.wrapper.isDependencyTreeStatic()) {
      return async (call) => run(await this.instantiate(host, call.exchange), call);
    }
    let pipeline: Pipeline | undefined;
    return (call) =>
      run((pipeline ??= this.pipeline(host, host.wrapper.instance as Instance)), call);
  }

  private pipeline(host: HandlerHost, instance: Instance, contextId?: ContextId): Pipeline {
    const method = instance[host.methodName] as (...args: unknown[]) => unknown;
    inheritMetadata(method, (host.classRef.prototype as Instance)[host.methodName] as object);
    return this.creatorFor(host).create(
      instance,
      method,
      host.methodName,
      ROUTE_ARGS_METADATA,
      paramsFactory,
      contextId,
      host.wrapper.id,
      undefined,
      MCP_CONTEXT_TYPE,
    ) as Pipeline;
  }

  private creatorFor(host: HandlerHost): ExternalContextCreator {
    if (host.collection === 'providers') return this.contextCreator;
    const creator = Object.create(this.contextCreator) as ExternalContextCreator;
    creator.getContextModuleKey = () => host.wrapper.host?.token ?? '';
    return creator;
  }

  /** Nest's filters see what a pipeline throws, but not what keeps it from being built. */
  private async instantiate(host: HandlerHost, exchange: McpExchange): Promise<Pipeline> {
    try {
      return await this.scopedPipeline(host, exchange);
    } catch (error) {
      this.logger.error(error);
      throw error;
    }
  }

  private async scopedPipeline(host: HandlerHost, exchange: McpExchange): Promise<Pipeline> {
    const { wrapper, collection } = host;
    const module = wrapper.host;
    if (module === undefined) throw new Error(`${host.classRef.name} belongs to no module.`);
    const contextId = this.contextIdOf(exchange, wrapper.isDependencyTreeDurable());
    const instance = await this.injector.loadPerContext(
      wrapper.instance as Instance,
      module,
      module[collection],
      contextId,
      wrapper,
    );
    return this.pipeline(host, instance, contextId);
  }

  /** The context id of a request, pinned to it so that everything in it shares its instances. */
  private contextIdOf(exchange: McpExchange, durable: boolean): ContextId {
    const pinned = exchange as McpExchange & { [REQUEST_CONTEXT_ID]?: ContextId };
    const known = pinned[REQUEST_CONTEXT_ID];
    if (known !== undefined) return known;
    const contextId = ContextIdFactory.getByRequest(exchange);
    Object.defineProperty(pinned, REQUEST_CONTEXT_ID, { value: contextId });
    this.moduleRef.registerRequestByContextId(durable ? contextId.payload : exchange, contextId);
    return contextId;
  }
}

/**
 * An instance may have replaced its method (bound it, or wrapped it to trace it); guards and all else
 * are found on the function that runs.
 */
function inheritMetadata(method: object, original: object): void {
  if (method === original) return;
  for (const key of Reflect.getMetadataKeys(original) as unknown[]) {
    if (!Reflect.hasOwnMetadata(key, method)) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, original), method);
    }
  }
}

function run(pipeline: Pipeline, call: HandlerCall): Promise<unknown> {
  return pipeline(call.arguments, call.exchange, call);
}
