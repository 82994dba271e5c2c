import { isatty } from 'node:tty';
import { ConsoleLogger } from '@nestjs/common';

/**
 * Nest's own logger on stderr, since stdout belongs to the protocol. `McpStdio.serve()` uses it unless
 * it is given another; an application that calls `McpStdio.connect()` needs it from its start.
 */
export class McpStdioLogger extends ConsoleLogger {
  constructor() {
    super({ colors: isatty(process.stderr.fd) });
  }

  protected override printMessages(
    ...[messages, context, level, , ...rest]: Parameters<ConsoleLogger['printMessages']>
  ): void {
    super.printMessages(messages, context, level, 'stderr', ...rest);
  }
}
