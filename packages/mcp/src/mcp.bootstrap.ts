import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { type DiscoveredHandler, HandlerExplorer } from './discovery/index.js';
import { InvalidOptionsException } from './exceptions/index.js';
import { PromptsFeature } from './features/prompts/index.js';
import { ResourcesFeature } from './features/resources/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { HttpTransport } from './transports/http/index.js';

/** Finds the handlers, hands them to their features, and opens the endpoint. */
@Injectable()
export class McpBootstrap implements OnModuleInit {
  private readonly logger = new Logger('McpModule');

  constructor(
    private readonly explorer: HandlerExplorer,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly http: HttpTransport,
    private readonly modules: ModulesContainer,
  ) {}

  /** @throws HandlerDefinitionException which stops the boot */
  onModuleInit(): void {
    this.checkSingle();
    const handlers = this.explorer.explore();
    for (const handler of handlers) this.add(handler);
    this.announce(handlers);
    this.http.mount();
  }

  private add(handler: DiscoveredHandler): void {
    switch (handler.kind) {
      case 'tool':
        this.tools.add(handler);
        break;
      case 'prompt':
        this.prompts.add(handler);
        break;
      case 'resource':
        this.resources.add(handler);
    }
  }

  /** A forgotten provider shows here. */
  private announce(handlers: readonly DiscoveredHandler[]): void {
    if (handlers.length === 0) {
      this.logger.warn(
        'No handlers were found. Add a provider with @McpTool, @McpPrompt or @McpResource methods to a module of the application.',
      );
      return;
    }
    const count = (kind: DiscoveredHandler['kind']): string => {
      const { length } = handlers.filter(isKind(kind));
      return `${length} ${kind}${length === 1 ? '' : 's'}`;
    };
    this.logger.log(`Found ${count('tool')}, ${count('prompt')}, ${count('resource')}`);
  }

  /** Two modules would find the same handlers, and fight for the endpoint. */
  private checkSingle(): void {
    const holders = [...this.modules.values()].filter((module) => module.hasProvider(McpBootstrap));
    if (holders.length > 1) {
      throw new InvalidOptionsException(
        'imports',
        `of the application hold McpModule ${holders.length} times`,
        'Import it once, in the root module: it is global',
      );
    }
  }
}

function isKind<K extends DiscoveredHandler['kind']>(
  kind: K,
): (handler: DiscoveredHandler) => handler is Extract<DiscoveredHandler, { kind: K }> {
  return (handler): handler is Extract<DiscoveredHandler, { kind: K }> => handler.kind === kind;
}
