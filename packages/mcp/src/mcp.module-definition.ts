import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { McpModuleExtras, McpModuleOptions } from './options/index.js';
import { principalSourceProvider } from './mcp.providers.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<McpModuleOptions>({ moduleName: 'Mcp' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpOptions')
    .setExtras<McpModuleExtras>(
      { principalSource: undefined },
      (definition, { principalSource }) => ({
        ...definition,
        global: true,
        imports: [...(definition.imports ?? []), ...(principalSource?.imports ?? [])],
        providers: [...(definition.providers ?? []), principalSourceProvider(principalSource)],
      }),
    )
    .build();
