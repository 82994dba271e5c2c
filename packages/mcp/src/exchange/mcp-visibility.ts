import type { Type } from '@nestjs/common';
import type { McpHandlerInfo } from './handler-info.js';
import type { McpExchange } from './mcp-exchange.js';

/**
 * Decides who may know of a handler. A hidden handler is in no list, nothing completes its
 * arguments, and a call of it is answered like a call of an unknown one.
 *
 * Give it to a whole server with `McpModule.forRoot({ visibility })`, or to one handler with
 * `visible`; a handler under both must pass both. It hides, guards refuse: it is asked before guards,
 * of every caller, for every list, so let it be quick.
 */
export abstract class McpVisibility {
  /** An error hides the handler; an `HttpException` is told to the caller. */
  abstract isVisible(handler: McpHandlerInfo, exchange: McpExchange): boolean | Promise<boolean>;
}

/** What `visible` accepts: a function, or a provider of the application. */
export type VisibleOption =
  ((exchange: McpExchange) => boolean | Promise<boolean>) | Type<McpVisibility>;
