import type { JsonSchema } from './json-schema.js';

/** What a schema says of a property by its name; `undefined` when it says nothing, or only true or false. */
export function propertyOf({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return typeof property === 'object' ? property : undefined;
}
