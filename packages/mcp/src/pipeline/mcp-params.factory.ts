import type { ParamsFactory } from '@nestjs/core/helpers/external-context-creator.js';
import { McpParamtype } from '../decorators/index.js';
import { currentContext } from '../context/index.js';
import { McpArgIndex } from '../mcp.constants.js';
import type { McpCall } from './mcp-call.js';

/** Gives each decorated parameter its value. */
export class McpParamsFactory implements ParamsFactory {
  exchangeKeyForValue(type: number, data: unknown, args: unknown[]): unknown {
    const call = args[McpArgIndex.Call] as McpCall;
    switch (type as McpParamtype) {
      case McpParamtype.Args:
        return call.arguments;
      case McpParamtype.Arg:
        return call.argument(data as string);
      case McpParamtype.Context:
      case McpParamtype.Elicitor:
        return currentContext('@McpContext()');
      case McpParamtype.Principal:
        return call.principal;
      case McpParamtype.Signal:
        return call.exchange.signal;
    }
  }
}
