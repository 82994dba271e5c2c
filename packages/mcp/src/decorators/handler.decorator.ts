import { HandlerDefinitionException } from '../exceptions/index.js';
import { ENTRY_PROVIDER_WATERMARK } from '../mcp.constants.js';

/** Options every kind of handler has. */
export interface HandlerOptions {
  /** What a person reads; falls back to the name. */
  title?: string;
  /** What the model or the user is told about it. */
  description?: string;
  /** Free metadata for lists (`_meta`). */
  meta?: Record<string, unknown>;
}

/**
 * Stores a handler's options on its method and marks the class as an entry provider: without the
 * mark Nest silently skips request-scoped global guards.
 */
export function handlerDecorator(
  decorator: string,
  metadataKey: string,
  options: HandlerOptions,
): MethodDecorator {
  return (target, methodName, descriptor) => {
    if (typeof target === 'function') {
      throw new HandlerDefinitionException(
        target.name,
        String(methodName),
        `@${decorator}() is on a static method`,
        'Make it an instance method of a provider',
      );
    }
    Reflect.defineMetadata(metadataKey, options, descriptor.value as object);
    Reflect.defineMetadata(ENTRY_PROVIDER_WATERMARK, true, target.constructor);
  };
}
