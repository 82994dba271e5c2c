import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { McpRedisModuleOptions } from './mcp-redis-module-options.interface.js';

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<McpRedisModuleOptions>({ moduleName: 'McpRedis' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createMcpRedisOptions')
    .build();
