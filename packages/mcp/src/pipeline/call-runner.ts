import { Injectable } from '@nestjs/common';
import type { McpExchange } from '../exchange/index.js';
import type { InputRequiredResult } from '../protocol/index.js';
import { MrtrEngine } from '../replay/index.js';
import type { HandlerInvoker } from './handler-invoker.factory.js';
import { type Callable, type CallRequest, McpCall } from './mcp-call.js';
import { type PipelineEnd, settleCall } from './settle-call.js';

/** How a call ended. */
export type CallEnd =
  PipelineEnd | { readonly type: 'suspended'; readonly result: InputRequiredResult };

/** Sends calls through the pipeline and reads how they ended. */
@Injectable()
export class CallRunner {
  constructor(private readonly engine: MrtrEngine) {}

  async run(
    handler: Callable & { readonly invoke: HandlerInvoker },
    exchange: McpExchange,
    request: CallRequest,
  ): Promise<CallEnd> {
    const call = new McpCall(handler, exchange, request, this.engine);
    const end = await settleCall(call, () => handler.invoke(call));
    return call.suspension === undefined ? end : { type: 'suspended', result: call.suspension };
  }
}
