import { Injectable } from '@nestjs/common';
import type { ToolHandler } from '../../discovery/index.js';
import {
  CallEndedException,
  InvalidParamsException,
  McpException,
  McpToolException,
  MissingClientCapabilityException,
  MissingRequiredClientCapabilityException,
} from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { ResolvedOptions } from '../../options/index.js';
import { isPending } from '../../protocol/is-pending.js';
import {
  type CallRequest,
  CallRunner,
  type FailedEnd,
  type McpPlayedRound,
  type PipelineEnd,
} from '../../pipeline/index.js';
import {
  type Awaitable,
  type CallToolResult,
  McpMethod,
  type Result,
  type Tool,
} from '../../protocol/index.js';
import type { RecordedConversation, SaveEntries } from '../../replay/index.js';
import { intendedMessage, isOfTheCall, toDenial, unexpectedMessage } from '../call-errors.js';
import { callRequest } from '../call-params.js';
import { ResultMapper } from '../content/result-mapper.js';
import { ExtensionRegistry } from '../extensions/index.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { HandlerList } from '../lists/handler-list.js';
import type { ListPage } from '../lists/list-pages.js';
import { ExtendedToolCall } from './extended-tool-call.js';
import { checkHeaderParams } from './header-params.check.js';
import { compileToolExtension, type ToolExtension } from './tool-extension.js';
import { compileTool, type ToolEntry } from './tool.entry.js';
import { toToolResult } from './tool-result.mapper.js';

/** How a round of a tool ended, and what is recorded. */
export type PlayedTool = McpPlayedRound<CallToolResult> & Pick<RecordedConversation, 'entries'>;

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
    private readonly extensions: ExtensionRegistry,
  ) {
    this.tools = new HandlerList('tools', 'tool name', (tool) => tool.name, options.lists);
  }

  /** @throws HandlerDefinitionException */
  add(handler: ToolHandler): ToolEntry {
    const compiled = compileTool(handler, this.compiler);
    const { extensions, compiler } = this;
    const extension = compileToolExtension(handler.host, compiled.name, extensions, compiler);
    const entry = extension === undefined ? compiled : { ...compiled, extension };
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
  find(name: string, exchange: McpExchange): Awaitable<ToolEntry | undefined> {
    const tool = this.tools.get(name);
    if (tool === undefined) return undefined;
    const shown = this.tools.shows(tool, exchange);
    if (isPending(shown)) return shown.then((late) => (late ? tool : undefined));
    return shown ? tool : undefined;
  }

  async call(exchange: McpExchange, params: Record<string, unknown>): Promise<Result> {
    const request = callRequest(McpMethod.ToolsCall, 'name', params);
    const found = this.find(request.target, exchange);
    const tool = isPending(found) ? await found : found;
    if (tool === undefined) throw new InvalidParamsException(`Unknown tool: ${request.target}`);
    checkHeaderParams(tool.headerParams, exchange, request.arguments);
    const toResult = (end: PipelineEnd): Awaitable<CallToolResult> => this.toResult(tool, end);
    const { extension } = tool;
    return extension === undefined
      ? this.runner.run(tool, exchange, request, toResult)
      : this.take(extension, tool, exchange, request);
  }

  /**
   * Plays a round of a conversation that an extension keeps, of a call whose guards have let it pass; of
   * a tool that is not there, the round is unplayed.
   */
  async play(
    exchange: McpExchange,
    request: CallRequest,
    recorded: RecordedConversation,
    save: SaveEntries,
  ): Promise<PlayedTool> {
    const tool = this.tools.get(request.target);
    if (tool?.extension === undefined) {
      const cause = new InvalidParamsException(`Unknown tool: ${request.target}`);
      return { type: 'unplayed', cause, entries: recorded.entries };
    }
    const admitted = { ...tool, invoke: tool.extension.invokeAdmitted };
    return this.runner.runRecorded(admitted, exchange, request, recorded, save, (end) =>
      this.toResult(tool, end),
    );
  }

  /** What the client lacks is refused by pipelines, in which an extension has no place. */
  private async take(
    extension: ToolExtension,
    tool: ToolEntry,
    exchange: McpExchange,
    request: CallRequest,
  ): Promise<Result> {
    try {
      return await extension.taker.take(
        new ExtendedToolCall(tool, extension, exchange, request, this.runner, (end) =>
          this.toResult(tool, end),
        ),
      );
    } catch (error) {
      throw error instanceof MissingClientCapabilityException
        ? new MissingRequiredClientCapabilityException(error.message, error.requiredCapabilities)
        : error;
    }
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
