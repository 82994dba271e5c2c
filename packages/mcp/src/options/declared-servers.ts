import type { ModulesContainer } from '@nestjs/core';
import { ResolvedOptions } from './resolved-options.js';

/** Every server of the application, once its providers are there. */
export function declaredServers(modules: ModulesContainer): readonly ResolvedOptions[] {
  return [...modules.values()].flatMap((module) => {
    const options = module.providers.get(ResolvedOptions)?.instance as ResolvedOptions | undefined;
    return options === undefined ? [] : [options];
  });
}
