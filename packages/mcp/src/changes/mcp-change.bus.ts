import type { Awaitable } from '../protocol/index.js';
import type { McpChange } from './mcp-change.js';

/**
 * Carries changes from whoever announces them to the open subscriptions of every instance. Provide
 * your own with `McpModule.forRoot({ changeBus })` when the server runs in more than one process; the
 * default knows this process only.
 */
export abstract class McpChangeBus {
  /** Delivers a change to every listener of every instance, this one's too. */
  abstract publish(change: McpChange): Awaitable<void>;

  /**
   * Calls back for every change from now on. Resolves with what ends it. What the listener is given is
   * checked: anything else that the bus may carry is logged and left out.
   */
  abstract subscribe(listener: (change: McpChange) => void): Awaitable<() => Awaitable<void>>;
}

/** The default: delivers within this process. */
export class InProcessChangeBus extends McpChangeBus {
  private readonly listeners = new Set<(change: McpChange) => void>();

  override publish(change: McpChange): void {
    for (const listener of this.listeners) listener(change);
  }

  override subscribe(listener: (change: McpChange) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
