import { Inject, Injectable, Logger } from '@nestjs/common';
import { type HandlerOptions, McpParamtype } from '../decorators/index.js';
import { type HandlerHost, handlerSource, type Registered } from '../discovery/index.js';
import type { McpHandlerInfo } from '../exchange/index.js';
import { ResolvedOptions } from '../options/index.js';
import {
  type Callable,
  type HandlerGate,
  type HandlerInvoker,
  HandlerInvokerFactory,
  type VisibilityRule,
  VisibilityRules,
} from '../pipeline/index.js';
import { McpConversationGuard } from '../replay/index.js';
import { definitionError } from './argument-schema.js';
import { compileLimits } from './handler-limits.js';
import { compileReplay } from './handler-replay.js';

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
  private readonly logger = new Logger('McpModule');
  private warned = false;

  constructor(
    private readonly invokers: HandlerInvokerFactory,
    private readonly visibility: VisibilityRules,
    private readonly options: ResolvedOptions,
    @Inject(McpConversationGuard) private readonly guard: McpConversationGuard | null,
  ) {}

  /** @throws HandlerDefinitionException */
  compile(
    host: HandlerHost,
    { kind, name }: McpHandlerInfo,
    options: HandlerOptions,
  ): HandlerBasis {
    if (kind !== 'completion') refuseValue(host);
    if (options.once === true) this.warnOfForgetting(host);
    return {
      kind,
      name,
      host,
      source: handlerSource(host),
      limits: compileLimits(host, name, options),
      replay: compileReplay(host, options, this.options.replay),
      visible: this.visibility.compile(host, { kind, name }, options.visible),
      invoke: this.invokers.create(host),
    };
  }

  /** Whoever says "once" must know where it holds. */
  private warnOfForgetting(host: HandlerHost): void {
    if (this.guard !== null || this.warned) return;
    this.warned = true;
    this.logger.warn(
      `${handlerSource(host)} is played once, which this process remembers alone: neither another instance nor its next start does. ` +
        'Give McpModule.forRoot() a conversationGuard that all instances share before you deploy.',
    );
  }

  /** What lets callers pass to what is told in the name of a handler. */
  gate(host: HandlerHost): HandlerGate {
    return this.invokers.createGate(host);
  }

  /** Runs calls that were let pass before. */
  admitted(host: HandlerHost): HandlerInvoker {
    return this.invokers.createAdmitted(host);
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
