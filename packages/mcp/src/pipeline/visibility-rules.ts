import { Inject, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { HandlerHost } from '../discovery/index.js';
import { HandlerDefinitionException } from '../exceptions/index.js';
import {
  type McpExchange,
  type McpHandlerInfo,
  McpVisibility,
  type VisibleOption,
} from '../exchange/index.js';

/** Whether a caller may know of one handler. */
export type VisibilityRule = (exchange: McpExchange) => boolean | Promise<boolean>;

/** Makes the rule of a handler from its own option and the server's. */
@Injectable()
export class VisibilityRules {
  constructor(
    private readonly moduleRef: ModuleRef,
    /** `null`: the server hides nothing. */
    @Inject(McpVisibility) private readonly ofServer: McpVisibility | null,
  ) {}

  /**
   * `undefined` when everybody may know of the handler.
   * @throws HandlerDefinitionException for a class that is no provider, and for what is no rule
   */
  compile(
    host: HandlerHost,
    info: McpHandlerInfo,
    visible: VisibleOption | undefined,
  ): VisibilityRule | undefined {
    const { ofServer } = this;
    const handler: McpHandlerInfo = { kind: info.kind, name: info.name };
    const general: VisibilityRule | undefined =
      ofServer === null ? undefined : (exchange) => ofServer.isVisible(handler, exchange);
    const own = visible === undefined ? undefined : this.ownRule(host, handler, visible);
    if (general === undefined || own === undefined) return general ?? own;
    return async (exchange) => (await general(exchange)) && (await own(exchange));
  }

  private ownRule(
    host: HandlerHost,
    handler: McpHandlerInfo,
    visible: VisibleOption,
  ): VisibilityRule {
    if (typeof visible !== 'function') {
      throw new HandlerDefinitionException(
        host.classRef.name,
        host.methodName,
        `its visible is ${JSON.stringify(visible)}`,
        'Give a function of the exchange, or a class that extends McpVisibility',
      );
    }
    if (!isVisibilityClass(visible)) return visible;
    const rule = this.providerOf(host, visible);
    return (exchange) => rule.isVisible(handler, exchange);
  }

  private providerOf(host: HandlerHost, visible: Type<McpVisibility>): McpVisibility {
    try {
      return this.moduleRef.get(visible, { strict: false });
    } catch (error) {
      throw new HandlerDefinitionException(
        host.classRef.name,
        host.methodName,
        `its visibility ${visible.name} cannot be had: ${(error as Error).message}`,
        'Add it to the providers of a module, in the default scope',
      );
    }
  }
}

function isVisibilityClass(visible: VisibleOption): visible is Type<McpVisibility> {
  return typeof (visible.prototype as McpVisibility | undefined)?.isVisible === 'function';
}
