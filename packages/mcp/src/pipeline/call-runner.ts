import { Injectable, IntrinsicException, Logger } from '@nestjs/common';
import { isObservable } from 'rxjs';
import type { McpExchange } from '../exchange/index.js';
import { ResolvedOptions } from '../options/index.js';
import type { InputRequiredResult } from '../protocol/index.js';
import { MrtrEngine } from '../replay/index.js';
import type { HandlerInvoker } from './handler-invoker.factory.js';
import { type Callable, type CallRequest, McpCall } from './mcp-call.js';
import { type PipelineEnd, settleCall } from './settle-call.js';
import { lastValue } from './values/index.js';

/** How a call ended. */
export type CallEnd =
  PipelineEnd | { readonly type: 'suspended'; readonly result: InputRequiredResult };

/** Sends calls through the pipeline and reads how they ended. */
@Injectable()
export class CallRunner {
  private readonly logger = new Logger('McpHandler');

  constructor(
    private readonly engine: MrtrEngine,
    private readonly options: ResolvedOptions,
  ) {}

  async run(
    handler: Callable & { readonly invoke: HandlerInvoker },
    exchange: McpExchange,
    request: CallRequest,
  ): Promise<CallEnd> {
    const { maxResultBytes } = this.options;
    const call = new McpCall(handler, exchange, request, this.engine, maxResultBytes);
    const end = await this.collected(call, await settleCall(call, () => handler.invoke(call)));
    return call.suspension === undefined ? end : { type: 'suspended', result: call.suspension };
  }

  /** Interceptors and filters may have returned a stream of their own, filters an Observable too. */
  private async collected(call: McpCall, end: PipelineEnd): Promise<PipelineEnd> {
    if (end.type !== 'returned') return end;
    try {
      const { value } = end;
      const last = isObservable(value) ? await lastValue(value, call.exchange) : value;
      return { type: 'returned', value: await call.collect(last) };
    } catch (error) {
      // Nest's filters have had their turn.
      if (!(error instanceof IntrinsicException) && !call.exchange.aborted)
        this.logger.error(error);
      return { type: 'failed', error, entered: call.entered };
    }
  }
}
