import { Injectable, type Type } from '@nestjs/common';
import { ApplicationConfig, DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { HandlerDefinitionException } from '../exceptions/index.js';
import { ENHANCER_METADATA } from '../mcp.constants.js';
import type { DiscoveredHandler, HandlerHost } from './discovered-handler.js';
import { HandlerMetadataAccessor } from './handler-metadata.accessor.js';
import { assignedServers } from './server-assignment.js';

/** Finds every handler of the application, in the order of modules, providers and methods. */
@Injectable()
export class HandlerExplorer {
  private readonly accessor = new HandlerMetadataAccessor();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly config: ApplicationConfig,
  ) {}

  /** @throws HandlerDefinitionException for a parameter nothing can be injected in */
  explore(): readonly DiscoveredHandler[] {
    return [
      ...this.discovery.getProviders().flatMap((wrapper) => this.inspect(wrapper, 'providers')),
      ...this.discovery.getControllers().flatMap((wrapper) => this.inspect(wrapper, 'controllers')),
    ];
  }

  /**
   * A method that is to become a handler at run time.
   * @throws HandlerDefinitionException when it cannot be one of that kind
   */
  locate(kind: DiscoveredHandler['kind'], classRef: Type<object>, methodName: string): HandlerHost {
    const candidates = [
      ...this.discovery
        .getProviders()
        .map((wrapper) => ({ wrapper, collection: 'providers' as const })),
      ...this.discovery
        .getControllers()
        .map((wrapper) => ({ wrapper, collection: 'controllers' as const })),
    ];
    for (const { wrapper, collection } of candidates) {
      const prototype = wrapper.isAlias ? null : prototypeOf(wrapper);
      if (prototype?.constructor !== classRef) continue;
      const method = prototype[methodName];
      if (typeof method !== 'function' || !this.accessor.isHandler(method as Method)) {
        throw new HandlerDefinitionException(
          classRef.name,
          methodName,
          'it is no handler',
          'Decorate the method with @McpHandler()',
        );
      }
      const host = this.hostOf(wrapper, collection, prototype, methodName);
      if (kind !== 'tool') refuseToolExtensions(host);
      const { prompt, resource } = this.accessor.read(method as Method) ?? {};
      const isCompleted = kind === 'prompt' || kind === 'resource';
      if (!isCompleted && prompt === undefined && resource === undefined) refuseCompleters(host);
      return host;
    }
    throw new HandlerDefinitionException(
      classRef.name,
      methodName,
      'its class is provided by no module',
      'Add it to the providers of a module',
    );
  }

  private inspect(
    wrapper: InstanceWrapper,
    collection: HandlerHost['collection'],
  ): DiscoveredHandler[] {
    const prototype = wrapper.isAlias ? null : prototypeOf(wrapper);
    if (prototype === null || prototype === Object.prototype) return [];
    return this.scanner
      .getAllMethodNames(prototype)
      .flatMap((methodName) => this.handlersOf(wrapper, collection, prototype, methodName));
  }

  /** @throws HandlerDefinitionException for a parameter nothing can be injected in */
  private hostOf(
    wrapper: InstanceWrapper,
    collection: HandlerHost['collection'],
    prototype: Record<string, unknown>,
    methodName: string,
  ): HandlerHost {
    const method = prototype[methodName] as Method;
    const classRef = prototype.constructor as Type<object>;
    const params = this.accessor.params(classRef, methodName, method);
    const bare = Array.from(
      { length: this.accessor.arity(classRef, methodName, method) },
      (_, index) => index,
    ).find((index) => !params.some((param) => param.index === index));
    if (bare !== undefined) {
      throw new HandlerDefinitionException(
        classRef.name,
        methodName,
        `parameter ${bare} has no decorator, so nothing can be injected in it`,
        'Use @McpArgs(), @McpArg(name), @McpContext(), @McpElicit(), @McpPrincipal(), @McpSignal(), @McpValue() or a parameter decorator of your own',
      );
    }
    checkScope(wrapper, classRef, methodName);
    this.checkEnhancers(wrapper, classRef, methodName, method);
    const servers = assignedServers(wrapper, classRef);
    const extensions = this.accessor.extensions(method);
    return { wrapper, collection, classRef, methodName, params, servers, extensions };
  }

  /**
   * Nest finds a provider's guards, interceptors, pipes and filters by its class, which it does not
   * know of values and factories: it would leave them out without a word.
   */
  private checkEnhancers(
    wrapper: InstanceWrapper,
    classRef: Type<object>,
    methodName: string,
    method: object,
  ): void {
    if (!wrapper.isNotMetatype) return;
    const lost = ENHANCER_METADATA.flatMap((key) => [
      ...((Reflect.getMetadata(key, classRef) ?? []) as unknown[]),
      ...((Reflect.getMetadata(key, method) ?? []) as unknown[]),
    ]).find((enhancer) => typeof enhancer === 'function') as { name: string } | undefined;
    if (lost !== undefined) {
      throw new HandlerDefinitionException(
        classRef.name,
        methodName,
        `the provider is a value or comes from a factory, where Nest would skip ${lost.name} silently`,
        'Provide the class with useClass, or give the enhancer as an instance',
      );
    }
    if (!wrapper.isDependencyTreeStatic() || this.hasScopedGlobals()) {
      throw new HandlerDefinitionException(
        classRef.name,
        methodName,
        'the provider is a value or comes from a factory, and something request-scoped belongs to it or is global',
        'Provide the class with useClass',
      );
    }
  }

  private hasScopedGlobals(): boolean {
    const { config } = this;
    return [
      config.getGlobalRequestGuards(),
      config.getGlobalRequestInterceptors(),
      config.getGlobalRequestPipes(),
      config.getGlobalRequestFilters(),
    ].some((enhancers) => enhancers.length > 0);
  }

  private handlersOf(
    wrapper: InstanceWrapper,
    collection: HandlerHost['collection'],
    prototype: Record<string, unknown>,
    methodName: string,
  ): DiscoveredHandler[] {
    const metadata = this.accessor.read(prototype[methodName] as Method);
    if (metadata === undefined) {
      this.refuseForgotten(prototype, methodName);
      return [];
    }
    const host = this.hostOf(wrapper, collection, prototype, methodName);
    const { tool, prompt, resource, completions } = metadata;
    if (tool === undefined) refuseToolExtensions(host);
    if (prompt === undefined && resource === undefined) refuseCompleters(host);
    return [
      ...(tool === undefined ? [] : [{ kind: 'tool' as const, host, options: tool }]),
      ...(prompt === undefined ? [] : [{ kind: 'prompt' as const, host, options: prompt }]),
      ...(resource === undefined ? [] : [{ kind: 'resource' as const, host, options: resource }]),
      ...completions.map((options) => ({ kind: 'completion' as const, host, options })),
    ];
  }

  /** @throws HandlerDefinitionException for a method that wants what only handlers are given */
  private refuseForgotten(prototype: Record<string, unknown>, methodName: string): void {
    if (this.accessor.isHandler(prototype[methodName] as Method)) return;
    const classRef = ownerOf(prototype, methodName).constructor as Type<object>;
    const extensions = this.accessor.extensions(prototype[methodName] as Method);
    refuseToolExtensions({ classRef, methodName, extensions });
    const decorator = this.accessor.paramDecorator(classRef, methodName);
    if (decorator === undefined) return;
    throw new HandlerDefinitionException(
      classRef.name,
      methodName,
      `it has ${decorator} but is no handler`,
      'Decorate it with @McpTool(), @McpPrompt(), @McpResource(), @McpCompletion() or @McpHandler()',
    );
  }
}

type Method = (...args: unknown[]) => unknown;

/**
 * Nest makes transient providers for those that inject them, and nobody injects a handler: it would run
 * on an object whose constructor has never been called. Where something request-scoped belongs to it,
 * every request has an instance.
 * @throws HandlerDefinitionException
 */
function checkScope(wrapper: InstanceWrapper, classRef: Type<object>, methodName: string): void {
  if (!wrapper.isTransient || !wrapper.isDependencyTreeStatic()) return;
  throw new HandlerDefinitionException(
    classRef.name,
    methodName,
    'its class is transient: instances are made for those that inject it, and none for calls',
    'Leave out Scope.TRANSIENT, or use Scope.REQUEST for an instance of each request',
  );
}

/** @throws HandlerDefinitionException for what only tools can be */
function refuseToolExtensions({
  classRef,
  methodName,
  extensions: [extension] = [],
}: Pick<HandlerHost, 'classRef' | 'methodName' | 'extensions'>): void {
  if (extension === undefined) return;
  throw new HandlerDefinitionException(
    classRef.name,
    methodName,
    `it has @${extension.decorator}() and is no tool`,
    `Decorate it with @McpTool(), or leave @${extension.decorator}() out`,
  );
}

/** @throws HandlerDefinitionException for an argument that no client could have completed */
function refuseCompleters({ classRef, methodName, params }: HandlerHost): void {
  const completed = params.find(({ options }) => options.complete !== undefined);
  if (completed === undefined) return;
  throw new HandlerDefinitionException(
    classRef.name,
    methodName,
    `@McpArg(${JSON.stringify(completed.name)}) has a complete option, and only arguments of prompts and resource templates are completed`,
    'Leave it out',
  );
}

/** The prototype that a method stands on. */
function ownerOf(prototype: object, methodName: string): object {
  if (Object.hasOwn(prototype, methodName)) return prototype;
  return ownerOf(Object.getPrototypeOf(prototype) as object, methodName);
}

/** The prototype of a provider's instance; of its token, where Nest has made no instance yet. */
function prototypeOf({ instance, token }: InstanceWrapper): Record<string, unknown> | null {
  if (typeof instance === 'object' && instance !== null) {
    return Object.getPrototypeOf(instance) as Record<string, unknown> | null;
  }
  return typeof token === 'function' ? (token.prototype as Record<string, unknown> | null) : null;
}
