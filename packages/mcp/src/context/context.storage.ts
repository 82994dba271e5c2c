import { AsyncLocalStorage } from 'node:async_hooks';
import { OutsideHandlerException } from '../exceptions/index.js';
import { McpCompletionContext } from './mcp-completion.context.js';
import type { MrtrContext } from './mrtr.context.js';

/** What `@McpContext()` injects. */
export type HandlerContext = MrtrContext | McpCompletionContext;

/** Holds the context of the running handler for everything it awaits. */
export const contextStorage = new AsyncLocalStorage<HandlerContext>();

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
