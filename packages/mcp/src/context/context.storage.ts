import { AsyncLocalStorage } from 'node:async_hooks';
import { OutsideHandlerException } from '../exceptions/index.js';
import type { MrtrContext } from './mrtr.context.js';

/** Holds the context of the running handler for everything it awaits. */
export const contextStorage = new AsyncLocalStorage<MrtrContext>();

/** @throws OutsideHandlerException where no handler is running */
export function currentContext(operation: string): MrtrContext {
  const context = contextStorage.getStore();
  if (context === undefined) {
    throw new OutsideHandlerException(operation, 'where no handler is running');
  }
  return context;
}
