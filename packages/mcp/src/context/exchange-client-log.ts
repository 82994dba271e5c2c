import type { McpExchange } from '../exchange/index.js';
import { isLogLevel, LOG_LEVELS, type LogLevel, McpNotificationMethod } from '../protocol/index.js';
import type { ReplayExecution } from '../replay/index.js';
import { logData } from './log-data.js';
import { McpClientLog } from './mcp-client-log.js';

/**
 * Sends log messages on the stream of a request.
 *
 * 1. Nothing is sent, and no data is looked at, below the level of the request or without one.
 * 2. Nothing is sent that another round has sent or will send, nor after the call has ended.
 */
export class ExchangeClientLog extends McpClientLog {
  /** Index of the least severe level the client wants. */
  private readonly threshold: number;

  constructor(
    private readonly exchange: McpExchange,
    private readonly execution: ReplayExecution,
  ) {
    super();
    const level = exchange.meta['io.modelcontextprotocol/logLevel'];
    this.threshold = isLogLevel(level) ? LOG_LEVELS.indexOf(level) : LOG_LEVELS.length;
  }

  override isEnabled(level: LogLevel): boolean {
    return (
      LOG_LEVELS.indexOf(level) >= this.threshold && !this.execution.muted && !this.exchange.aborted
    );
  }

  override log(level: LogLevel, data: unknown, logger?: string): boolean {
    if (!this.isEnabled(level)) return false;
    return this.exchange.notify({
      jsonrpc: '2.0',
      method: McpNotificationMethod.Message,
      params: { level, ...(logger !== undefined && { logger }), data: logData(data) },
    });
  }
}
