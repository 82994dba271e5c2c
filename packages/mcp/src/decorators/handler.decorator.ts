import { HandlerDefinitionException } from '../exceptions/index.js';
import type { ClientFeature, VisibleOption } from '../exchange/index.js';
import { ENTRY_PROVIDER_WATERMARK } from '../mcp.constants.js';
import type { MismatchPolicy } from '../replay/index.js';
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
   * How long an answer to one of its questions may take, in milliseconds; `replay.ttlMs` by default, at most
   * `replay.maxAgeMs`. A human may need hours.
   */
  ttlMs?: number;
  /** What becomes of its conversations when it has changed under way; `replay.onMismatch` by default. */
  onMismatch?: MismatchPolicy;
  /**
   * Plays each round of a conversation at most once: a duplicate, with the same answers, gets the answer
   * of the first, and any other use of a token that was used is refused (`state_consumed`). The first
   * round has no token, so a call that asks nothing is not covered. Needs a `conversationGuard` that all
   * instances share.
   */
  once?: boolean;
  /**
   * Who may know of it: a function of the exchange, or a provider that extends `McpVisibility`. To
   * others it is as if it were not there.
   */
  visible?: VisibleOption;
}

/** The names of options; types see to it that none is missing, and none too many. */
export type OptionNames<T> = Readonly<Record<keyof T & string, true>>;

/** The options that every kind of handler has; others are refused. */
export const HANDLER_OPTIONS = {
  title: true,
  description: true,
  meta: true,
  requires: true,
  timeoutMs: true,
  maxConcurrent: true,
  ttlMs: true,
  onMismatch: true,
  once: true,
  visible: true,
} satisfies OptionNames<HandlerOptions>;

/** Makes a method a handler of one kind, once. */
export function handlerDecorator(
  decorator: string,
  metadataKey: string,
  options: object,
): MethodDecorator {
  return (target, methodName, descriptor) => {
    refuseStandardDecorator(decorator, methodName);
    const method = descriptor.value as object;
    if (Reflect.hasOwnMetadata(metadataKey, method)) {
      throw new HandlerDefinitionException(
        target.constructor.name,
        String(methodName),
        `@${decorator}() is on it twice, and one of them would be lost`,
        'Leave one out, or add a method that calls this one',
      );
    }
    storeHandler(decorator, metadataKey, options, target, methodName, method);
  };
}

/**
 * Stores a handler's options on its method and marks the class as an entry provider: without the
 * mark Nest silently skips request-scoped global guards.
 */
export function storeHandler(
  decorator: string,
  metadataKey: string,
  options: object,
  target: object,
  methodName: string | symbol,
  method: object,
): void {
  if (typeof target === 'function') {
    throw new HandlerDefinitionException(
      target.name,
      String(methodName),
      `@${decorator}() is on a static method`,
      'Make it an instance method of a provider',
    );
  }
  Reflect.defineMetadata(metadataKey, options, method);
  Reflect.defineMetadata(ENTRY_PROVIDER_WATERMARK, true, target.constructor);
}
