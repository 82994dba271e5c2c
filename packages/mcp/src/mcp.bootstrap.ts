import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type DiscoveredHandler, HandlerExplorer } from './discovery/index.js';
import { PromptsFeature } from './features/prompts/index.js';
import { ResourcesFeature } from './features/resources/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { HttpTransport } from './transports/http/index.js';

/** Finds the handlers, hands them to their features, and opens the endpoint. */
@Injectable()
export class McpBootstrap implements OnModuleInit {
  constructor(
    private readonly explorer: HandlerExplorer,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly http: HttpTransport,
  ) {}

  /** @throws HandlerDefinitionException which stops the boot */
  onModuleInit(): void {
    const handlers = this.explorer.explore();
    this.tools.register(handlers.filter(isKind('tool')));
    this.prompts.register(handlers.filter(isKind('prompt')));
    this.resources.register(handlers.filter(isKind('resource')));
    this.http.mount();
  }
}

function isKind<K extends DiscoveredHandler['kind']>(
  kind: K,
): (handler: DiscoveredHandler) => handler is Extract<DiscoveredHandler, { kind: K }> {
  return (handler): handler is Extract<DiscoveredHandler, { kind: K }> => handler.kind === kind;
}
