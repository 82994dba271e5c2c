import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { type DiscoveredHandler, HandlerExplorer, serversOf } from './discovery/index.js';
import { CompletionsFeature } from './features/completions/index.js';
import { PromptsFeature } from './features/prompts/index.js';
import { ResourcesFeature } from './features/resources/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { McpEarlierClients } from './mcp.earlier-clients.js';
import { McpExtensions } from './mcp.extensions.js';
import { McpSeamCheck } from './mcp.seam-check.js';
import { checkSiblings, declaredServers, ResolvedOptions } from './options/index.js';
import { HttpTransport } from './transports/http/index.js';

/** Finds the handlers, hands them to their features, and opens the endpoint. */
@Injectable()
export class McpBootstrap implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('McpModule');

  constructor(
    private readonly explorer: HandlerExplorer,
    private readonly tools: ToolsFeature,
    private readonly prompts: PromptsFeature,
    private readonly resources: ResourcesFeature,
    private readonly completions: CompletionsFeature,
    private readonly extensions: McpExtensions,
    private readonly earlier: McpEarlierClients,
    private readonly http: HttpTransport,
    private readonly seams: McpSeamCheck,
    private readonly modules: ModulesContainer,
    private readonly config: ApplicationConfig,
    private readonly options: ResolvedOptions,
  ) {}

  /** @throws HandlerDefinitionException | InvalidOptionsException which stop the boot */
  async onModuleInit(): Promise<void> {
    this.seams.check();
    const servers = declaredServers(this.modules);
    checkSiblings(servers, this.config.getGlobalPrefix());
    const names = servers.map(({ name }) => name);
    this.extensions.attach(names);
    const handlers = this.explorer
      .explore()
      .filter(({ host }) => serversOf(host, names).includes(this.options.name));
    for (const handler of handlers) this.add(handler);
    this.announce(handlers);
    await this.earlier.load();
    this.http.mount();
  }

  /**
   * What completions complete may have been added by other providers as they were initialised.
   * @throws HandlerDefinitionException which stops the boot
   */
  onApplicationBootstrap(): void {
    this.completions.checkAll();
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
        break;
      case 'completion':
        this.completions.add(handler);
    }
  }

  /** A forgotten provider shows here. */
  private announce(handlers: readonly DiscoveredHandler[]): void {
    if (handlers.length === 0) {
      this.logger.warn(
        `${this.options.logPrefix}No handlers were found. Add a provider with @McpTool, @McpPrompt or @McpResource methods to a module of the application.`,
      );
      return;
    }
    const count = (kind: DiscoveredHandler['kind']): string => {
      const { length } = handlers.filter(isKind(kind));
      return `${length} ${kind}${length === 1 ? '' : 's'}`;
    };
    this.logger.log(
      `${this.options.logPrefix}Found ${count('tool')}, ${count('prompt')}, ${count('resource')}, ${count('completion')}`,
    );
  }
}

function isKind<K extends DiscoveredHandler['kind']>(
  kind: K,
): (handler: DiscoveredHandler) => handler is Extract<DiscoveredHandler, { kind: K }> {
  return (handler): handler is Extract<DiscoveredHandler, { kind: K }> => handler.kind === kind;
}
