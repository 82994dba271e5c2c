import { Injectable, Logger } from '@nestjs/common';
import { type DiscoveredHandler, HandlerRegistry } from '../../discovery/index.js';
import {
  HandlerTimeoutException,
  InternalErrorException,
  InvalidParamsException,
  McpException,
  McpToolException,
} from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { type CallEnd, CallRunner, HandlerInvokerFactory } from '../../pipeline/index.js';
import {
  type CallToolResult,
  type InputRequiredResult,
  McpMethod,
  type Tool,
} from '../../protocol/index.js';
import { intendedMessage, toDenial, unexpectedMessage } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { type ListPage, ListPages } from '../lists/list-pages.js';
import { compileTool, type ToolEntry } from './tool.entry.js';
import { toToolResult } from './tool-result.mapper.js';

/**
 * `tools/list` and `tools/call`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
@Injectable()
export class ToolsFeature {
  private readonly logger = new Logger('McpTools');
  private readonly registry = new HandlerRegistry<ToolEntry>('tool name');
  private pages?: ListPages<'tools', Tool>;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly invokers: HandlerInvokerFactory,
    private readonly runner: CallRunner,
  ) {}

  /** @throws HandlerDefinitionException */
  register(handlers: readonly Extract<DiscoveredHandler, { kind: 'tool' }>[]): void {
    for (const handler of handlers) {
      const entry = compileTool(handler, this.invokers);
      this.registry.add(entry.name, entry);
    }
    this.pages = new ListPages(
      'tools',
      this.registry.values.map((entry) => entry.descriptor),
      (tool) => tool.name,
      this.options.lists,
    );
  }

  get isEmpty(): boolean {
    return this.registry.values.length === 0;
  }

  list(params: Record<string, unknown>): ListPage<'tools', Tool> {
    return (this.pages as ListPages<'tools', Tool>).page(params['cursor']);
  }

  async call(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const request = callRequest(McpMethod.ToolsCall, 'name', params);
    const tool = this.registry.get(request.target);
    if (tool === undefined) throw new InvalidParamsException(`Unknown tool: ${request.target}`);
    const end = await this.runner.run(tool, exchange, request);
    switch (end.type) {
      case 'suspended':
        return end.result;
      case 'returned':
        return this.toResult(tool, end.value);
      case 'failed':
        return this.toFailure(end);
    }
  }

  private async toResult(tool: ToolEntry, value: unknown): Promise<CallToolResult> {
    try {
      return await toToolResult(tool.name, value, tool.output);
    } catch (error) {
      this.logger.error(error);
      throw new InternalErrorException();
    }
  }

  /** An error of the tool is for the model to read; one of the protocol or a guard is not. */
  private toFailure({ error, entered }: Extract<CallEnd, { type: 'failed' }>): CallToolResult {
    const timedOut = error instanceof HandlerTimeoutException;
    if (error instanceof McpException && !timedOut) throw error;
    if (!entered) throw toDenial(error);
    const text =
      intendedMessage(error) ?? (this.options.exposeErrors ? unexpectedMessage(error) : MASKED);
    const shown: Partial<McpToolException> = error instanceof McpToolException ? error : {};
    return {
      resultType: 'complete',
      content: [{ type: 'text', text }, ...(shown.content ?? [])],
      ...(shown.structuredContent !== undefined && { structuredContent: shown.structuredContent }),
      isError: true,
    };
  }
}

const MASKED = 'The tool failed unexpectedly. The details are in the log of the server.';
