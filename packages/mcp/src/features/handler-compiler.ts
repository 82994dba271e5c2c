import { Injectable } from '@nestjs/common';
import { type HandlerOptions, McpParamtype } from '../decorators/index.js';
import { type HandlerHost, handlerSource, type Registered } from '../discovery/index.js';
import type { McpHandlerInfo } from '../exchange/index.js';
import {
  type Callable,
  type HandlerGate,
  type HandlerInvoker,
  HandlerInvokerFactory,
  type VisibilityRule,
  VisibilityRules,
} from '../pipeline/index.js';
import { definitionError } from './argument-schema.js';
import { compileLimits } from './handler-limits.js';

/** A handler ready to be called. */
export interface CompiledHandler extends Callable, Registered {
  readonly invoke: HandlerInvoker;
  /** `undefined`: everybody may know of it. */
  readonly visible: VisibilityRule | undefined;
}

/** What every kind of handler has compiled alike. */
export type HandlerBasis = Omit<CompiledHandler, 'prepare' | 'contextFor'>;

/** Compiles what all kinds of handlers have in common. */
@Injectable()
export class HandlerCompiler {
  constructor(
    private readonly invokers: HandlerInvokerFactory,
    private readonly visibility: VisibilityRules,
  ) {}

  /** @throws HandlerDefinitionException */
  compile(
    host: HandlerHost,
    { kind, name }: McpHandlerInfo,
    options: HandlerOptions,
  ): HandlerBasis {
    if (kind !== 'completion') refuseValue(host);
    return {
      kind,
      name,
      host,
      source: handlerSource(host),
      limits: compileLimits(host, name, options),
      visible: this.visibility.compile(host, { kind, name }, options.visible),
      invoke: this.invokers.create(host),
    };
  }

  /** What lets callers pass to what is told in the name of a handler. */
  gate(host: HandlerHost): HandlerGate {
    return this.invokers.createGate(host);
  }
}

function refuseValue(host: HandlerHost): void {
  if (!host.params.some(({ paramtype }) => paramtype === McpParamtype.Value)) return;
  throw definitionError(
    host,
    'only a completion has a value to inject',
    'Use @McpArg(name), or decorate the method with @McpCompletion()',
  );
}
