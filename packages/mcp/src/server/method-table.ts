import type { McpExchange } from '../exchange/index.js';
import { type CompletionsFeature } from '../features/completions/index.js';
import { type DiscoverFeature } from '../features/discover/index.js';
import { type PromptsFeature } from '../features/prompts/index.js';
import { type ResourcesFeature } from '../features/resources/index.js';
import { type SubscriptionsFeature } from '../features/subscriptions/index.js';
import { type ToolsFeature } from '../features/tools/index.js';
import { McpMethod, type Result } from '../protocol/index.js';

/** What answers a method. */
export interface MethodEntry {
  /** Whether the principal source is asked first. */
  readonly identify: boolean;
  handle(exchange: McpExchange, params: Record<string, unknown>): Result | Promise<Result>;
}

export type MethodTable = ReadonlyMap<string, MethodEntry>;

/** Injection token of the method table. */
export const METHOD_TABLE = Symbol('dacapo:method-table');

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
  const identified = (handle: MethodEntry['handle']): MethodEntry => ({ identify: true, handle });
  return new Map<McpMethod, MethodEntry>([
    [McpMethod.Discover, open(() => discover.discover())],
    [McpMethod.ToolsList, identified((exchange, params) => tools.list(exchange, params))],
    [McpMethod.ToolsCall, identified((exchange, params) => tools.call(exchange, params))],
    [McpMethod.PromptsList, identified((exchange, params) => prompts.list(exchange, params))],
    [McpMethod.PromptsGet, identified((exchange, params) => prompts.get(exchange, params))],
    [McpMethod.ResourcesList, identified((exchange, params) => resources.list(exchange, params))],
    [
      McpMethod.ResourceTemplatesList,
      identified((exchange, params) => resources.listTemplates(exchange, params)),
    ],
    [McpMethod.ResourcesRead, identified((exchange, params) => resources.read(exchange, params))],
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
