import { AsyncResource } from 'node:async_hooks';

/**
 * Does something once in the next turn of the event loop, however often it is planned until then.
 *
 * What is done then belongs to nobody: it runs in the context in which this was made, not in the one
 * of a request that planned it, so no `AsyncLocalStorage` of that request, the application's or our
 * own, reaches what others are told.
 */
export class NextTurn {
  private readonly origin = new AsyncResource('McpNextTurn');
  private planned = false;

  constructor(private readonly work: () => void) {}

  plan(): void {
    if (this.planned) return;
    this.planned = true;
    this.origin.runInAsyncScope(() => setImmediate(() => this.run()));
  }

  private run(): void {
    this.planned = false;
    this.work();
  }
}
