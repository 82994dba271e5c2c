import { Inject, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { McpNotifier } from './changes/index.js';
import { InvalidOptionsException } from './exceptions/index.js';
import { ExtensionHost } from './features/extension-host/index.js';
import { ExtensionRegistry, McpExtension } from './features/extensions/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { MCP_CLOCK, MCP_NOTIFIER } from './mcp.providers.js';
import { ResolvedOptions } from './options/index.js';
import { MethodTable } from './server/index.js';

/** Finds the extensions of a server among the providers of the application, and attaches them. */
@Injectable()
export class McpExtensions {
  constructor(
    private readonly modules: ModulesContainer,
    private readonly options: ResolvedOptions,
    private readonly extensions: ExtensionRegistry,
    private readonly methods: MethodTable,
    private readonly tools: ToolsFeature,
    @Inject(MCP_NOTIFIER) private readonly notifier: McpNotifier,
    @Inject(MCP_CLOCK) private readonly now: () => number,
  ) {}

  /**
   * @param servers the names of all there are
   * @throws InvalidOptionsException, and what the extensions throw, which stop the boot
   */
  attach(servers: readonly string[]): void {
    const { name, scope } = this.options;
    for (const extension of this.declared) {
      checkServer(extension, servers);
      if (extension.server !== name) continue;
      this.extensions.add(extension);
      const { now, notifier, extensions, tools } = this;
      extension.attach(
        new ExtensionHost(extension.identifier, { scope, now, notifier, extensions, tools }),
      );
      this.methods.extend(extension);
    }
  }

  private get declared(): readonly McpExtension[] {
    const found = new Set<McpExtension>();
    for (const { providers } of this.modules.values()) {
      for (const wrapper of providers.values()) {
        const instance: unknown = wrapper.instance;
        if (!(instance instanceof McpExtension)) continue;
        if (!wrapper.isDependencyTreeStatic()) {
          throw new InvalidOptionsException(
            'providers',
            `has the extension ${instance.constructor.name}, which is request-scoped or depends on what is`,
            'Make it a singleton; it is given the exchange of every request',
          );
        }
        found.add(instance);
      }
    }
    return [...found];
  }
}

/** What a tool would say of its server later on would be about the extension, and not about the name. */
function checkServer({ identifier, server }: McpExtension, servers: readonly string[]): void {
  if (servers.includes(server)) return;
  throw new InvalidOptionsException(
    'imports',
    `has the extension ${identifier} for the server ${JSON.stringify(server)}, and the application has no such server`,
    `Give its module the name of one that is there: ${servers.map((name) => JSON.stringify(name)).join(', ')}`,
  );
}
