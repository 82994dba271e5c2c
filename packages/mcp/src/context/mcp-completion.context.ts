import type { McpClient, McpExchange } from '../exchange/index.js';

/**
 * What a completion knows of its call: inject it with `@McpContext()`. A completion answers while
 * somebody types, so that it can neither ask nor report progress.
 */
export class McpCompletionContext {
  /** The other arguments, as far as the client has sent them: text, not validated. */
  readonly arguments: Readonly<Record<string, string>>;

  constructor(
    /** Name of the prompt, or text of the resource template. */
    readonly handlerName: string,
    /** Name of the argument that is completed. */
    readonly argument: string,
    /** What has been typed of it. */
    readonly value: string,
    others: Readonly<Record<string, string>>,
    readonly exchange: McpExchange,
  ) {
    this.arguments = others;
  }

  /** The client: who it says it is, and what it can do. */
  get client(): McpClient {
    return this.exchange.client;
  }

  /** The caller, as the principal source names it; `null` for nobody. */
  get principal(): string | null {
    return this.exchange.principal;
  }

  /** Aborts when the client goes away or a time limit has passed: pass it on, and stop. */
  get signal(): AbortSignal {
    return this.exchange.signal;
  }
}
