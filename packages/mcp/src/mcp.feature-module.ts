import { Module, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { InvalidOptionsException } from './exceptions/index.js';
import { declaredServers } from './options/index.js';

/** Says, by its one provider, which servers the handlers of the importing module belong to. */
@Module({})
export class McpFeatureModule implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  /** @throws InvalidOptionsException where nothing serves them, and nothing else would say so */
  onModuleInit(): void {
    if (declaredServers(this.modules).length > 0) return;
    throw new InvalidOptionsException(
      'server',
      'is missing: McpModule.forFeature() is imported, and McpModule.forRoot() nowhere',
      'Import McpModule.forRoot({ name, server }) in the root module',
    );
  }
}
