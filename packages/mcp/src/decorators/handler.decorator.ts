import { HandlerDefinitionException } from '../exceptions/index.js';
import type { ClientFeature, VisibleOption } from '../exchange/index.js';
import { ENTRY_PROVIDER_WATERMARK } from '../mcp.constants.js';
import { refuseStandardDecorator } from './standard-decorator.js';

/** Options every kind of handler has. */
export interface HandlerOptions {
  /** What a person reads; falls back to the name. */
  title?: string;
  /** What the model or the user is told about it. */
  description?: string;
  /** Free metadata for lists (`_meta`). */
  meta?: Record<string, unknown>;
  /**
   * Capabilities the client must have declared: checked after guards and before the handler, and
   * refused with -32021 and what is missing.
   */
  requires?: readonly ClientFeature[];
  /**
   * How long a round may take, in milliseconds; without limit by default. When it has passed,
   * `ctx.signal` aborts and the caller gets an error; what the handler still does is its own affair.
   */
  timeoutMs?: number;
  /**
   * How many calls may run at once on this instance; without limit by default. A call beyond it is
   * refused with 503, after guards.
   */
  maxConcurrent?: number;
  /**
   * Who may know of it: a function of the exchange, or a provider that extends `McpVisibility`. To
   * others it is as if it were not there.
   */
  visible?: VisibleOption;
}

/**
 * Stores a handler's options on its method and marks the class as an entry provider: without the
 * mark Nest silently skips request-scoped global guards.
 */
export function handlerDecorator(
  decorator: string,
  metadataKey: string,
  options: object,
): MethodDecorator {
  return (target, methodName, descriptor) => {
    refuseStandardDecorator(decorator, methodName);
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
