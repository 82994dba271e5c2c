import type { McpExchange } from '../../exchange/index.js';
import {
  type CallRequest,
  type CallRunner,
  checkArguments,
  GateCall,
  type McpCallLeave,
  type PipelineEnd,
  settleCall,
} from '../../pipeline/index.js';
import type { Awaitable, CallToolResult, Result } from '../../protocol/index.js';
import type { McpToolCall } from '../extensions/index.js';
import type { ToolEntry } from './tool.entry.js';
import type { ToolExtension } from './tool-extension.js';

/** @see McpToolCall */
export class ExtendedToolCall implements McpToolCall {
  constructor(
    private readonly entry: ToolEntry,
    private readonly extension: ToolExtension,
    readonly exchange: McpExchange,
    private readonly request: CallRequest,
    private readonly runner: CallRunner,
    private readonly toResult: (end: PipelineEnd) => Awaitable<CallToolResult>,
  ) {}

  get tool(): string {
    return this.entry.name;
  }

  get arguments(): Readonly<Record<string, unknown>> {
    return this.request.arguments;
  }

  get isRetry(): boolean {
    return this.request.requestState !== undefined;
  }

  async admit(): Promise<CallToolResult | undefined> {
    checkArguments(this.request.arguments);
    return (await this.refusal()) ?? (await this.misfit());
  }

  run(leave: McpCallLeave): Promise<Result> {
    return this.runner.runUntilLeft(this.entry, this.exchange, this.request, this.toResult, leave);
  }

  /** A filter may make a value of a refusal; what counts is that the end is reached. */
  private async refusal(): Promise<CallToolResult | undefined> {
    const { kind, name } = this.entry;
    const call = new GateCall({ kind, name }, this.exchange, this.request.arguments);
    const seen = { passed: false };
    const end = await settleCall({ entered: false }, () =>
      this.extension.gate(call, () => {
        seen.passed = true;
        return Promise.resolve();
      }),
    );
    if (!seen.passed) return this.toResult(end);
    this.entry.limits.checkClient(this.exchange);
    return undefined;
  }

  private async misfit(): Promise<CallToolResult | undefined> {
    try {
      // The round converts arguments in place, and gets its own.
      await this.entry.prepare(structuredClone(this.request.arguments));
      return undefined;
    } catch (error) {
      return this.toResult({ type: 'failed', error, entered: true });
    }
  }
}
