import { Injectable, IntrinsicException, Logger } from '@nestjs/common';
import { isObservable } from 'rxjs';
import { CallCancelledException } from '../exceptions/index.js';
import type { McpExchange } from '../exchange/index.js';
import { ResolvedOptions } from '../options/index.js';
import type { Awaitable, InputRequiredResult, Result } from '../protocol/index.js';
import { keptResult, MrtrEngine } from '../replay/index.js';
import type { HandlerInvoker } from './handler-invoker.factory.js';
import { type Callable, type CallRequest, McpCall } from './mcp-call.js';
import { type PipelineEnd, settleCall } from './settle-call.js';
import { lastValue } from './values/index.js';

/** Sends calls through the pipeline and reads how they ended. */
@Injectable()
export class CallRunner {
  private readonly logger = new Logger('McpHandler');

  constructor(
    private readonly engine: MrtrEngine,
    private readonly options: ResolvedOptions,
  ) {}

  /**
   * @param toResult makes the answer of how the pipeline ended; what it throws is the answer's error
   * @returns that answer, or that of the engine: questions, or what a duplicate was answered with
   */
  async run<R extends Result>(
    handler: Callable & { readonly invoke: HandlerInvoker },
    exchange: McpExchange,
    request: CallRequest,
    toResult: (end: PipelineEnd) => Awaitable<R>,
  ): Promise<R | InputRequiredResult> {
    const { maxResultBytes } = this.options;
    const call = new McpCall(handler, exchange, request, this.engine, maxResultBytes);
    const end = await this.collected(call, await settleCall(call, () => handler.invoke(call)));
    if (call.suspension !== undefined) return call.suspension;
    if (call.repeated !== undefined) return keptResult(call.repeated) as unknown as R;
    const { claim } = call;
    // Nobody knows how far a handler came that was told to stop, so its duplicates get no answer.
    if (claim === undefined || wasCancelled(end)) return toResult(end);
    return claim.answer(() => toResult(end));
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

function wasCancelled(end: PipelineEnd): boolean {
  return end.type === 'failed' && end.error instanceof CallCancelledException;
}
