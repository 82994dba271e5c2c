import type { McpExchange, McpHandlerInfo } from '../exchange/index.js';
import type { ReplayHost } from '../replay/index.js';

/** What Nest's pipeline carries to a handler: guards, interceptors, pipes and parameters read it. */
export interface HandlerCall extends ReplayHost {
  readonly handler: McpHandlerInfo;
  readonly exchange: McpExchange;
  /** Unvalidated before the handler's round, validated and converted in it. */
  readonly arguments: unknown;
  /** One argument by name. */
  argument(name: string): unknown;
  /** Of a completion: what has been typed. */
  readonly value?: string;
  /** What `@McpContext()` and `@McpElicit()` inject; asked where the handler is about to run. */
  context(): unknown;
}
