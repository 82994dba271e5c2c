import { Injectable } from '@nestjs/common';
import type { ToolHandler } from '../../discovery/index.js';
import {
  CallEndedException,
  InvalidParamsException,
  McpException,
  McpToolException,
} from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { CallRunner, type FailedEnd, type PipelineEnd } from '../../pipeline/index.js';
import {
  type Awaitable,
  type CallToolResult,
  type InputRequiredResult,
  McpMethod,
  type Tool,
} from '../../protocol/index.js';
import { intendedMessage, isOfTheCall, toDenial, unexpectedMessage } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { ResultMapper } from '../content/result-mapper.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { HandlerList } from '../lists/handler-list.js';
import type { ListPage } from '../lists/list-pages.js';
import { checkHeaderParams } from './header-params.check.js';
import { compileTool, type ToolEntry } from './tool.entry.js';
import { toToolResult } from './tool-result.mapper.js';

/**
 * `tools/list` and `tools/call`.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
@Injectable()
export class ToolsFeature {
  private readonly tools: HandlerList<'tools', Tool, ToolEntry>;

  constructor(
    private readonly options: ResolvedOptions,
    private readonly compiler: HandlerCompiler,
    private readonly runner: CallRunner,
    private readonly results: ResultMapper,
  ) {
    this.tools = new HandlerList('tools', 'tool name', (tool) => tool.name, options.lists);
  }

  /** @throws HandlerDefinitionException */
  add(handler: ToolHandler): ToolEntry {
    const entry = compileTool(handler, this.compiler);
    this.tools.add(entry.name, entry);
    return entry;
  }

  /** The tool that was there. */
  remove(name: string): ToolEntry | undefined {
    return this.tools.remove(name);
  }

  get isEmpty(): boolean {
    return this.tools.isEmpty;
  }

  list(exchange: McpExchange, params: Record<string, unknown>): Awaitable<ListPage<'tools', Tool>> {
    return this.tools.page(exchange, params['cursor']);
  }

  /** A tool the caller may know of. */
  async find(name: string, exchange: McpExchange): Promise<ToolEntry | undefined> {
    const tool = this.tools.get(name);
    return tool !== undefined && (await this.tools.shows(tool, exchange)) ? tool : undefined;
  }

  async call(
    exchange: McpExchange,
    params: Record<string, unknown>,
  ): Promise<CallToolResult | InputRequiredResult> {
    const request = callRequest(McpMethod.ToolsCall, 'name', params);
    const tool = await this.find(request.target, exchange);
    if (tool === undefined) throw new InvalidParamsException(`Unknown tool: ${request.target}`);
    checkHeaderParams(tool.headerParams, exchange, request.arguments);
    return this.runner.run(tool, exchange, request, (end) => this.toResult(tool, end));
  }

  private toResult(tool: ToolEntry, end: PipelineEnd): Awaitable<CallToolResult> {
    return end.type === 'returned'
      ? this.results.run(() => toToolResult(tool, end.value))
      : this.toFailure(tool, end);
  }

  /** An error of the tool is for the model to read; one of the protocol or a guard is not. */
  private toFailure(tool: ToolEntry, { error, entered }: FailedEnd): CallToolResult {
    if (error instanceof CallEndedException) return toEnding(tool, error);
    if (error instanceof McpException && !isOfTheCall(error)) throw error;
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

/** A tool that promises structured content has nothing else to say when it succeeds. */
function toEnding({ output }: ToolEntry, { message }: CallEndedException): CallToolResult {
  return {
    resultType: 'complete',
    content: [{ type: 'text', text: message }],
    ...(output !== undefined && { isError: true }),
  };
}

const MASKED = 'The tool failed unexpectedly. The details are in the log of the server.';
