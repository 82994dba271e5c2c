import type { ParamsFactory } from '@nestjs/core/helpers/external-context-creator.js';
import { McpParamtype } from '../decorators/index.js';
import { McpArgIndex } from '../mcp.constants.js';
import type { HandlerCall } from './handler-call.js';

/** Gives each decorated parameter its value. */
export class McpParamsFactory implements ParamsFactory {
  exchangeKeyForValue(type: number, data: unknown, args: unknown[]): unknown {
    const call = args[McpArgIndex.Call] as HandlerCall;
    switch (type as McpParamtype) {
      case McpParamtype.Args:
        return call.arguments;
      case McpParamtype.Arg:
        return call.argument(data as string);
      case McpParamtype.Context:
      case McpParamtype.Elicitor:
        return call.context();
      case McpParamtype.Principal:
        return call.exchange.principal;
      case McpParamtype.Signal:
        return call.exchange.signal;
      case McpParamtype.Value:
        return call.value;
    }
  }
}
