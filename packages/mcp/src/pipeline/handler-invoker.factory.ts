import { Injectable, Logger } from '@nestjs/common';
import { ContextIdFactory, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import type { ContextId } from '@nestjs/core/injector/instance-wrapper.js';
import { Injector } from '@nestjs/core/injector/injector.js';
import { REQUEST_CONTEXT_ID } from '@nestjs/core/router/request/request-constants.js';
import type { HandlerHost } from '../discovery/index.js';
import type { McpExchange } from '../exchange/index.js';
import { MCP_CONTEXT_TYPE, McpArgIndex, ROUTE_ARGS_METADATA } from '../mcp.constants.js';
import { isPending } from '../protocol/is-pending.js';
import type { Awaitable } from '../protocol/index.js';
import { attachReplay } from './handler-enhancers.js';
import type { HandlerCall } from './handler-call.js';
import { McpParamsFactory } from './mcp-params.factory.js';
import { derivedCreator } from './derived-creator.js';

/** Runs a call through guards, interceptors, pipes, the handler and filters. */
export type HandlerInvoker = (call: HandlerCall) => Promise<unknown>;

/**
 * Runs a call through the guards and filters of a handler to something that answers in its place.
 * Interceptors and pipes are made for what the handler takes and returns, and stay out.
 */
export type HandlerGate = (call: HandlerCall, answer: () => Promise<unknown>) => Promise<unknown>;

type Pipeline = (...args: unknown[]) => Promise<unknown>;
type Method = (...args: unknown[]) => unknown;
type Instance = Record<string, Method>;

const paramsFactory = new McpParamsFactory();

/** Nothing is stored under it: what answers in a handler's place has no parameters to fill. */
const NO_PARAMS_METADATA = 'dacapo:no-params';

/** What is built around a provider's method. */
interface PipelineShape {
  /** What runs at the end, made from the method. */
  readonly callback: (method: Method) => Method;
  readonly paramsMetadata: string;
  readonly guards: boolean;
  readonly interceptors: boolean;
}

const WHOLE: PipelineShape = {
  callback: (method) => method,
  paramsMetadata: ROUTE_ARGS_METADATA,
  guards: true,
  interceptors: true,
};

/** Of a call that guards have let pass when its request was there for them to look at. */
const ADMITTED: PipelineShape = { ...WHOLE, guards: false };

const GATE: PipelineShape = {
  callback: standIn,
  paramsMetadata: NO_PARAMS_METADATA,
  guards: true,
  interceptors: false,
};

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
 * 5. The engine is played right around the handler, see `McpInterceptorsConsumer`: a handler's Observable
 *    reaches it as it is.
 */
@Injectable()
export class HandlerInvokerFactory {
  private readonly logger = new Logger('McpHandler');
  private readonly injector = new Injector();

  private readonly creator: ExternalContextCreator;

  constructor(
    contextCreator: ExternalContextCreator,
    private readonly moduleRef: ModuleRef,
  ) {
    this.creator = derivedCreator(contextCreator);
  }

  create(host: HandlerHost): HandlerInvoker {
    attachReplay((host.classRef.prototype as Instance)[host.methodName] as object);
    return this.invoker(host, WHOLE);
  }

  /** Runs calls that were let pass before. */
  createAdmitted(host: HandlerHost): HandlerInvoker {
    return this.invoker(host, ADMITTED);
  }

  private invoker(host: HandlerHost, shape: PipelineShape): HandlerInvoker {
    const pipelineFor = this.pipelines(host, shape);
    return (call) => {
      const pipeline = pipelineFor(call.exchange);
      return isPending(pipeline)
        ? pipeline.then((scoped) => run(scoped, call))
        : run(pipeline, call);
    };
  }

  /** What must let a caller pass before anything is told in the name of a handler. */
  createGate(host: HandlerHost): HandlerGate {
    const pipelineFor = this.pipelines(host, GATE);
    return async (call, answer) => run(await pipelineFor(call.exchange), call, answer);
  }

  private pipelines(
    host: HandlerHost,
    shape: PipelineShape,
  ): (exchange: McpExchange) => Awaitable<Pipeline> {
    if (!host.wrapper.isDependencyTreeStatic()) {
      return (exchange) => this.instantiate(host, shape, exchange);
    }
    let pipeline: Pipeline | undefined;
    return () => (pipeline ??= this.pipeline(host, shape, host.wrapper.instance as Instance));
  }

  private pipeline(
    host: HandlerHost,
    shape: PipelineShape,
    instance: Instance,
    contextId?: ContextId,
  ): Pipeline {
    const method = instance[host.methodName] as Method;
    inheritMetadata(method, (host.classRef.prototype as Instance)[host.methodName] as object);
    return this.creatorFor(host).create(
      instance,
      shape.callback(method),
      host.methodName,
      shape.paramsMetadata,
      paramsFactory,
      contextId,
      host.wrapper.id,
      { guards: shape.guards, filters: true, interceptors: shape.interceptors },
      MCP_CONTEXT_TYPE,
    ) as Pipeline;
  }

  private creatorFor(host: HandlerHost): ExternalContextCreator {
    if (host.collection === 'providers') return this.creator;
    const creator = Object.create(this.creator) as ExternalContextCreator;
    creator.getContextModuleKey = () => host.wrapper.host?.token ?? '';
    return creator;
  }

  /** Nest's filters see what a pipeline throws, but not what keeps it from being built. */
  private async instantiate(
    host: HandlerHost,
    shape: PipelineShape,
    exchange: McpExchange,
  ): Promise<Pipeline> {
    try {
      return await this.scopedPipeline(host, shape, exchange);
    } catch (error) {
      this.logger.error(error);
      throw error;
    }
  }

  private async scopedPipeline(
    host: HandlerHost,
    shape: PipelineShape,
    exchange: McpExchange,
  ): Promise<Pipeline> {
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
    return this.pipeline(host, shape, instance, contextId);
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

/** Answers for a method, under its name and with its metadata: guards and filters are found there. */
function standIn(method: Method): Method {
  const callback: Method = (...args) => (args[ANSWER_INDEX] as () => unknown)();
  Object.defineProperty(callback, 'name', { value: method.name });
  inheritMetadata(callback, method);
  return callback;
}

/** Behind what every pipeline carries. */
const ANSWER_INDEX = Object.keys(McpArgIndex).length;

function run(
  pipeline: Pipeline,
  call: HandlerCall,
  ...answer: (() => Promise<unknown>)[]
): Promise<unknown> {
  return pipeline(call.arguments, call.exchange, call, ...answer);
}
