import { AsyncLocalStorage } from 'node:async_hooks';
import { OutsideHandlerException } from '../exceptions/index.js';
import { McpCompletionContext } from './mcp-completion.context.js';
import type { MrtrContext } from './mrtr.context.js';

/** What `@McpContext()` injects. */
export type HandlerContext = MrtrContext | McpCompletionContext;

/**
 * Holds the context of the running handler for everything it awaits.
 *
 * 1. Following every promise of a process costs more than most calls do. It begins when somebody is
 *    there to look: with the first ambient elicitor, progress source or log that is injected.
 * 2. From then on every handler runs with its context, and it never ends.
 */
class ContextStorage {
  private readonly storage = new AsyncLocalStorage<HandlerContext>();
  private wanted = false;

  /** Somebody will look. */
  want(): void {
    this.wanted = true;
  }

  run<T>(context: HandlerContext, work: () => T): T {
    return this.wanted ? this.storage.run(context, work) : work();
  }

  getStore(): HandlerContext | undefined {
    return this.storage.getStore();
  }
}

export const contextStorage = new ContextStorage();

/** The context of the running handler, of those that can send something before their answer. */
export function runningContext(): MrtrContext | undefined {
  const context = contextStorage.getStore();
  return context instanceof McpCompletionContext ? undefined : context;
}

/** @throws OutsideHandlerException where no handler is running, or one that cannot ask */
export function currentContext(operation: string): MrtrContext {
  const context = contextStorage.getStore();
  if (context === undefined) {
    throw new OutsideHandlerException(operation, 'where no handler is running');
  }
  if (context instanceof McpCompletionContext) {
    throw new OutsideHandlerException(
      operation,
      'in a completion, which can neither ask nor report',
    );
  }
  return context;
}
