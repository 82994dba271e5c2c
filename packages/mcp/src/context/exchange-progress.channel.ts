import type { McpExchange } from '../exchange/index.js';
import { McpNotificationMethod } from '../protocol/index.js';
import type { ReplayExecution } from '../replay/index.js';
import type { ProgressChannel } from './progress/index.js';

/**
 * Sends progress on the stream of a request.
 *
 * 1. Nothing is sent without a progress token, nor what another round has sent or will send.
 * 2. Progress of one token increases even when several emitters report on it.
 */
export class ExchangeProgressChannel implements ProgressChannel {
  private sent = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly exchange: McpExchange,
    private readonly execution: ReplayExecution,
  ) {}

  send(progress: number, total: number | undefined, message: string | undefined): void {
    const { progressToken } = this.exchange;
    if (progressToken === undefined || progress <= this.sent) return;
    this.sent = progress;
    if (this.execution.muted) return;
    this.exchange.notify({
      jsonrpc: '2.0',
      method: McpNotificationMethod.Progress,
      params: {
        progressToken,
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      },
    });
  }
}
