import type { ModulesContainer } from '@nestjs/core';
import { declaredInstances } from './declared-instances.js';
import { ResolvedOptions } from './resolved-options.js';

/** Every server of the application, once its providers are there. */
export function declaredServers(modules: ModulesContainer): readonly ResolvedOptions[] {
  return declaredInstances(modules, ResolvedOptions);
}
