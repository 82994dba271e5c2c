import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ambientProviders, McpClientLog, McpElicitor, McpProgressSource } from './context/index.js';
import { HandlerExplorer } from './discovery/index.js';
import { CompletionsFeature } from './features/completions/index.js';
import { ResultMapper } from './features/content/result-mapper.js';
import { DiscoverFeature } from './features/discover/index.js';
import { ExtensionRegistry } from './features/extensions/index.js';
import { HandlerCompiler } from './features/handler-compiler.js';
import { PromptsFeature } from './features/prompts/index.js';
import { ResourcesFeature } from './features/resources/index.js';
import { SubscriptionsFeature } from './features/subscriptions/index.js';
import { ToolsFeature } from './features/tools/index.js';
import { McpBootstrap } from './mcp.bootstrap.js';
import { McpEarlierClients } from './mcp.earlier-clients.js';
import { McpExtensions } from './mcp.extensions.js';
import { MCP_FEATURE_SERVERS } from './mcp.constants.js';
import { McpFeatureModule } from './mcp.feature-module.js';
import {
  type ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  type OPTIONS_TYPE,
} from './mcp.module-definition.js';
import { MCP_SERVER_NAME, replayProviders } from './mcp.providers.js';
import { McpSeamCheck } from './mcp.seam-check.js';
import { undeclaredProviders } from './mcp.undeclared.js';
import { checkServerNames, type McpModuleOptions, ResolvedOptions } from './options/index.js';
import { CallRunner, HandlerInvokerFactory, VisibilityRules } from './pipeline/index.js';
import { McpDispatcher, MethodTable, methodTable } from './server/index.js';
import { HttpEndpoint, HttpTransport } from './transports/http/index.js';
import { InProcessTransport } from './transports/in-process/index.js';
import { StdioTransport } from './transports/stdio/index.js';

/**
 * Makes a Nest application an MCP server: every provider and controller may carry `@McpTool`,
 * `@McpPrompt`, `@McpResource` and `@McpCompletion` methods, and the endpoint is served by the
 * application's own HTTP server, or over stdio by `McpStdio`. Global: import it once, in the root
 * module; again, with a `name` and a `path`, for each further
 * server of the application.
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...undeclaredProviders,
    {
      provide: ResolvedOptions,
      inject: [MODULE_OPTIONS_TOKEN, MCP_SERVER_NAME],
      useFactory: (options: McpModuleOptions, name: string) => new ResolvedOptions(options, name),
    },
    ...replayProviders,
    ...ambientProviders,
    HandlerExplorer,
    HandlerInvokerFactory,
    VisibilityRules,
    HandlerCompiler,
    CallRunner,
    ResultMapper,
    ToolsFeature,
    PromptsFeature,
    ResourcesFeature,
    CompletionsFeature,
    SubscriptionsFeature,
    DiscoverFeature,
    ExtensionRegistry,
    {
      provide: MethodTable,
      inject: [
        DiscoverFeature,
        ToolsFeature,
        PromptsFeature,
        ResourcesFeature,
        SubscriptionsFeature,
        CompletionsFeature,
      ],
      useFactory: methodTable,
    },
    McpDispatcher,
    HttpEndpoint,
    HttpTransport,
    StdioTransport,
    InProcessTransport,
    McpSeamCheck,
    McpExtensions,
    McpEarlierClients,
    McpBootstrap,
  ],
  exports: [McpElicitor, McpProgressSource, McpClientLog],
})
export class McpModule extends ConfigurableModuleClass {
  /** Declares the server with options that are known now. */
  static override forRoot(options: typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  /** Declares the server with options that come from other providers. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /**
   * Imported by a module whose handlers belong to servers with a name (see `McpModule.forRoot({ name })`);
   * `@McpServer()` on a class outranks it.
   * @throws InvalidOptionsException for no name, or what can be none
   */
  static forFeature(...servers: readonly [string, ...string[]]): DynamicModule {
    checkServerNames('name of forFeature()', servers);
    return {
      module: McpFeatureModule,
      providers: [{ provide: MCP_FEATURE_SERVERS, useValue: servers }],
    };
  }
}
