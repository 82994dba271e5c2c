import { ForbiddenException, Injectable } from '@nestjs/common';
import { EmptyError } from 'rxjs';
import type { McpExchange } from '../exchange/index.js';
import type { InputRequiredResult } from '../protocol/index.js';
import { MrtrEngine } from '../replay/index.js';
import type { HandlerInvoker } from './handler-invoker.factory.js';
import { type Callable, type CallRequest, McpCall } from './mcp-call.js';

/** How a call ended. */
export type CallEnd =
  | { readonly type: 'returned'; readonly value: unknown }
  | { readonly type: 'suspended'; readonly result: InputRequiredResult }
  /** `entered`: the handler's round had begun; otherwise a guard or an interceptor refused. */
  | { readonly type: 'failed'; readonly error: unknown; readonly entered: boolean };

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
    const end = await settle(handler.invoke, call);
    return call.suspension === undefined ? end : { type: 'suspended', result: call.suspension };
  }
}

async function settle(invoke: HandlerInvoker, call: McpCall): Promise<CallEnd> {
  try {
    return { type: 'returned', value: await invoke(call) };
  } catch (error) {
    if (!(error instanceof EmptyError)) return { type: 'failed', error, entered: call.entered };
    // After the handler, an interceptor that ends without a value returns nothing. Before it, a guard
    // or an interceptor has not let the call pass.
    return call.entered
      ? { type: 'returned', value: undefined }
      : { type: 'failed', error: new ForbiddenException(), entered: false };
  }
}
