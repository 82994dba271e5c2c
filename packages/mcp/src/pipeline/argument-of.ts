import { isJsonObject } from '../protocol/index.js';

/** One of the arguments; a DTO may have getters, but what every object inherits is no argument. */
export function argumentOf(args: unknown, name: string): unknown {
  if (!isJsonObject(args)) return undefined;
  return Object.hasOwn(args, name) || !(name in Object.prototype) ? args[name] : undefined;
}
