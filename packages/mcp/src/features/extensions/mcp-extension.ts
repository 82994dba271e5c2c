import type { McpExchange } from '../../exchange/index.js';
import { DEFAULT_SERVER } from '../../mcp.constants.js';
import type { Awaitable, JsonObject, Result } from '../../protocol/index.js';
import type { McpExtensionHost } from './mcp-extension-host.js';
import type { McpExtendedTool, McpToolTaker } from './mcp-tool-taker.js';

/** A method of an extension. */
export interface McpExtensionMethod {
  /** As in `tasks/get`. */
  readonly name: string;
  /** The member of `params` that `Mcp-Name` mirrors; without one the header is not asked for. */
  readonly namedBy?: string;
  /**
   * Answers a request of a client that has declared the extension; the principal is known. What it
   * throws is answered: an `McpException` as it stands, anything else logged and masked.
   */
  handle(exchange: McpExchange, params: Record<string, unknown>): Awaitable<Result>;
}

/** What clients can listen for: things of the extension, by their keys. */
export interface McpExtensionTopic {
  /** The member of `params.notifications` that lists keys, as `taskIds` does. */
  readonly member: string;
  /** Those of the keys that this client is told of. */
  honour(keys: readonly string[], exchange: McpExchange): Awaitable<readonly string[]>;
  /** What a client is told of a thing: how it stands now. `undefined` for nothing. */
  notification(
    key: string,
    exchange: McpExchange,
  ): Awaitable<{ readonly method: string; readonly params: Record<string, unknown> } | undefined>;
}

/**
 * An extension of the protocol. Found among the providers of the application when it starts; a singleton.
 *
 * 1. A client that has not declared the extension with a request gets -32021 to its methods and its
 *    topic, before anything is looked up.
 * 2. It is attached before tools are compiled, and to one server.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/index#extensions
 */
export abstract class McpExtension {
  /** As capabilities name it: `io.modelcontextprotocol/tasks`. */
  abstract readonly identifier: string;
  /** `name` of the server it belongs to, where the application has several. */
  readonly server: string = DEFAULT_SERVER;
  /** What `server/discover` says of it. */
  readonly settings: JsonObject = {};

  /** Asked for once it is attached. */
  get methods(): readonly McpExtensionMethod[] {
    return [];
  }

  /** What clients can listen for, if anything. */
  get topic(): McpExtensionTopic | undefined {
    return undefined;
  }

  /** Told of its server when that starts. @throws what stops the boot */
  abstract attach(host: McpExtensionHost): void;

  /**
   * Looks at a tool that was decorated for it, see `extendTool()`.
   * @param options those of the decorator
   * @returns what answers its calls, if anything does
   * @throws HandlerDefinitionException which stops the boot
   */
  extendTool?(tool: McpExtendedTool, options: unknown): McpToolTaker | undefined;
}
