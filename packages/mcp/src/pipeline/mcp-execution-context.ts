import type { ArgumentsHost, ContextType, ExecutionContext } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type { McpExchange, McpHandlerInfo } from '../exchange/index.js';
import { MCP_CONTEXT_TYPE, McpArgIndex } from '../mcp.constants.js';
import type { HandlerCall } from './handler-call.js';

/** `ExecutionContext.getType<McpContextType>()` answers `'mcp'` for calls over MCP. */
export type McpContextType = 'mcp' | ContextType;

/**
 * Nest's execution context with the parts of an MCP call: for guards, interceptors and parameter
 * decorators.
 *
 * @example
 * canActivate(context: ExecutionContext) {
 *   if (context.getType<McpContextType>() !== 'mcp') return true;
 *   return McpExecutionContext.create(context).getExchange().principal !== null;
 * }
 */
export class McpExecutionContext extends ExecutionContextHost {
  static create(context: ExecutionContext): McpExecutionContext {
    const created = new McpExecutionContext(
      context.getArgs(),
      context.getClass(),
      context.getHandler(),
    );
    created.setType(MCP_CONTEXT_TYPE);
    return created;
  }

  getExchange(): McpExchange {
    return exchangeOf(this);
  }

  /**
   * The arguments: unvalidated in guards, validated from pipes on. Of a completion, those beside the
   * one that is completed.
   */
  getArguments<T = Record<string, unknown>>(): T {
    return this.getCall().arguments as T;
  }

  /** Kind and name of the handler. `getClass()` and `getHandler()` give class and method. */
  getHandlerInfo(): McpHandlerInfo {
    const { kind, name, argument } = this.getCall().handler;
    return { kind, name, ...(argument !== undefined && { argument }) };
  }

  private getCall(): HandlerCall {
    return this.getArgByIndex<HandlerCall>(McpArgIndex.Call);
  }
}

/** The exchange of an MCP call, for exception filters, which have no execution context. */
export function exchangeOf(host: ArgumentsHost): McpExchange {
  return host.getArgByIndex<McpExchange>(McpArgIndex.Exchange);
}
