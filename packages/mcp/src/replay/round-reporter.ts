import { Logger } from '@nestjs/common';
import type { McpObserver, ReplayEvent } from './mcp-observer.js';

/** Tells the observer of rounds. Without one nothing is made to be told. */
export class RoundReporter {
  private readonly logger = new Logger('McpObserver');

  constructor(private readonly observer?: McpObserver) {}

  report(event: () => ReplayEvent): void {
    if (this.observer !== undefined) void this.tell(this.observer, event);
  }

  private async tell(observer: McpObserver, event: () => ReplayEvent): Promise<void> {
    try {
      await observer.observe(event());
    } catch (error) {
      this.logger.error(error);
    }
  }
}
