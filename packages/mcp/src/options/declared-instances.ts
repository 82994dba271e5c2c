import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/** What each server of the application has of a class that `McpModule` provides, once providers are there. */
export function declaredInstances<T>(modules: ModulesContainer, type: Type<T>): readonly T[] {
  return [...modules.values()].flatMap(({ providers }) => {
    const instance = providers.get(type)?.instance as T | undefined;
    return instance === undefined ? [] : [instance];
  });
}
