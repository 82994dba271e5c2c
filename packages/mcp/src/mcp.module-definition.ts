import { ConfigurableModuleBuilder } from '@nestjs/common';
import { declaredProviders } from './mcp.providers.js';
import { getMcpNotifierToken, getMcpRegistryToken } from './mcp.tokens.js';
import type { McpModuleExtras, McpModuleOptions } from './options/index.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<McpModuleOptions>({ moduleName: 'Mcp' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpOptions')
    .setExtras<McpModuleExtras>(
      {
        name: undefined,
        principalSource: undefined,
        visibility: undefined,
        changeBus: undefined,
        observer: undefined,
        conversationGuard: undefined,
        sessionStore: undefined,
      },
      (definition, extras) => ({
        ...definition,
        global: true,
        imports: [
          ...(definition.imports ?? []),
          ...[
            extras.principalSource,
            extras.visibility,
            extras.changeBus,
            extras.observer,
            extras.conversationGuard,
            extras.sessionStore,
          ].flatMap((source) => source?.imports ?? []),
        ],
        providers: [...(definition.providers ?? []), ...declaredProviders(extras)],
        exports: [
          ...(definition.exports ?? []),
          getMcpNotifierToken(extras.name),
          getMcpRegistryToken(extras.name),
        ],
      }),
    )
    .build();
