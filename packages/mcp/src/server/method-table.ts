import { InvalidOptionsException } from '../exceptions/index.js';
import type { McpExchange } from '../exchange/index.js';
import { type CompletionsFeature } from '../features/completions/index.js';
import { type DiscoverFeature } from '../features/discover/index.js';
import { type McpExtension, requireExtension } from '../features/extensions/index.js';
import { type PromptsFeature } from '../features/prompts/index.js';
import { type ResourcesFeature } from '../features/resources/index.js';
import { type SubscriptionsFeature } from '../features/subscriptions/index.js';
import { type ToolsFeature } from '../features/tools/index.js';
import { type Awaitable, McpMethod, type Result } from '../protocol/index.js';

/** What answers a method. */
export interface MethodEntry {
  /** Whether the principal source is asked first. */
  readonly identify: boolean;
  /** The member of params that `Mcp-Name` mirrors. */
  readonly namedBy?: string;
  handle(exchange: McpExchange, params: Record<string, unknown>): Awaitable<Result>;
}

/** What answers each method; anything else is not found. */
export class MethodTable {
  private readonly entries: Map<string, MethodEntry>;

  constructor(entries: Iterable<readonly [string, MethodEntry]>) {
    this.entries = new Map(entries);
  }

  get(method: string): MethodEntry | undefined {
    return this.entries.get(method);
  }

  /**
   * Adds the methods of an extension.
   * @throws InvalidOptionsException for a method that is there
   */
  extend({ identifier, methods }: McpExtension): void {
    for (const method of methods) {
      const { name, namedBy } = method;
      if (this.entries.has(name)) {
        throw new InvalidOptionsException(
          'imports',
          `has an extension ${identifier} with a method ${name}, which the server has already`,
          'Import one of the extensions with that method',
        );
      }
      this.entries.set(name, {
        identify: true,
        ...(namedBy !== undefined && { namedBy }),
        handle: (exchange, params) => {
          requireExtension(exchange, identifier);
          return method.handle(exchange, params);
        },
      });
    }
  }
}

/** Every method of the protocol that the server answers; anything else is not found. */
export function methodTable(
  discover: DiscoverFeature,
  tools: ToolsFeature,
  prompts: PromptsFeature,
  resources: ResourcesFeature,
  subscriptions: SubscriptionsFeature,
  completions: CompletionsFeature,
): MethodTable {
  const open = (handle: MethodEntry['handle']): MethodEntry => ({ identify: false, handle });
  const identified = (handle: MethodEntry['handle'], namedBy?: string): MethodEntry => ({
    identify: true,
    ...(namedBy !== undefined && { namedBy }),
    handle,
  });
  return new MethodTable([
    [McpMethod.Discover, open(() => discover.discover())],
    [McpMethod.ToolsList, identified((exchange, params) => tools.list(exchange, params))],
    [McpMethod.ToolsCall, identified((exchange, params) => tools.call(exchange, params), 'name')],
    [McpMethod.PromptsList, identified((exchange, params) => prompts.list(exchange, params))],
    [McpMethod.PromptsGet, identified((exchange, params) => prompts.get(exchange, params), 'name')],
    [McpMethod.ResourcesList, identified((exchange, params) => resources.list(exchange, params))],
    [
      McpMethod.ResourceTemplatesList,
      identified((exchange, params) => resources.listTemplates(exchange, params)),
    ],
    [
      McpMethod.ResourcesRead,
      identified((exchange, params) => resources.read(exchange, params), 'uri'),
    ],
    [
      McpMethod.SubscriptionsListen,
      identified((exchange, params) => subscriptions.listen(exchange, params)),
    ],
    [
      McpMethod.CompletionComplete,
      identified((exchange, params) => completions.complete(exchange, params)),
    ],
  ]);
}
