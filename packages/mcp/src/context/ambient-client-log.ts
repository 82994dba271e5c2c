import type { LogLevel } from '../protocol/index.js';
import { runningContext } from './context.storage.js';
import { McpClientLog } from './mcp-client-log.js';

/**
 * The log that services inject: finds the handler that is running. Where none is, or a completion, nobody can have
 * asked for messages, and a service that also works elsewhere need not care.
 */
export class AmbientClientLog extends McpClientLog {
  override isEnabled(level: LogLevel): boolean {
    return runningContext()?.log.isEnabled(level) ?? false;
  }

  override log(level: LogLevel, data: unknown, logger?: string): boolean {
    return runningContext()?.log.log(level, data, logger) ?? false;
  }
}
