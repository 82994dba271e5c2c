import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { InstanceWrapper } from '@nestjs/core/injector/instance-wrapper.js';
import { HandlerDefinitionException } from '../exceptions/index.js';
import type { DiscoveredHandler, HandlerHost } from './discovered-handler.js';
import { HandlerMetadataAccessor } from './handler-metadata.accessor.js';

/** Finds every handler of the application, in the order of modules, providers and methods. */
@Injectable()
export class HandlerExplorer {
  private readonly accessor = new HandlerMetadataAccessor();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** @throws HandlerDefinitionException for a parameter nothing can be injected in */
  explore(): readonly DiscoveredHandler[] {
    return [
      ...this.discovery.getProviders().flatMap((wrapper) => this.inspect(wrapper, 'providers')),
      ...this.discovery.getControllers().flatMap((wrapper) => this.inspect(wrapper, 'controllers')),
    ];
  }

  private inspect(
    wrapper: InstanceWrapper,
    collection: HandlerHost['collection'],
  ): DiscoveredHandler[] {
    const instance: unknown = wrapper.instance;
    if (wrapper.isAlias || typeof instance !== 'object' || instance === null) return [];
    const prototype = Object.getPrototypeOf(instance) as Record<string, unknown> | null;
    if (prototype === null || prototype === Object.prototype) return [];
    return this.scanner
      .getAllMethodNames(prototype)
      .flatMap((methodName) => this.handlersOf(wrapper, collection, prototype, methodName));
  }

  private handlersOf(
    wrapper: InstanceWrapper,
    collection: HandlerHost['collection'],
    prototype: Record<string, unknown>,
    methodName: string,
  ): DiscoveredHandler[] {
    const method = prototype[methodName] as (...args: unknown[]) => unknown;
    const metadata = this.accessor.read(method);
    if (metadata === undefined) return [];
    const classRef = prototype.constructor as Type<object>;
    const params = this.accessor.params(classRef, methodName);
    const bare = Array.from(
      { length: this.accessor.arity(classRef, methodName, method) },
      (_, index) => index,
    ).find((index) => !params.some((param) => param.index === index));
    if (bare !== undefined) {
      throw new HandlerDefinitionException(
        classRef.name,
        methodName,
        `parameter ${bare} has no decorator, so nothing can be injected in it`,
        'Use @McpArgs(), @McpArg(name), @McpContext(), @McpElicit(), @McpPrincipal(), @McpSignal() or a parameter decorator of your own',
      );
    }
    const host: HandlerHost = { wrapper, collection, classRef, methodName, params };
    const { tool, prompt, resource } = metadata;
    return [
      ...(tool === undefined ? [] : [{ kind: 'tool' as const, host, options: tool }]),
      ...(prompt === undefined ? [] : [{ kind: 'prompt' as const, host, options: prompt }]),
      ...(resource === undefined ? [] : [{ kind: 'resource' as const, host, options: resource }]),
    ];
  }
}
