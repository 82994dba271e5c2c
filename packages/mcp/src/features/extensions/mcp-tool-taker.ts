import type { HandlerDefinitionException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import type { McpCallLeave } from '../../pipeline/index.js';
import type { Awaitable, CallToolResult, Result } from '../../protocol/index.js';

/** A tool that an extension has to do with. */
export interface McpExtendedTool {
  readonly name: string;
  /** An error that stops the boot, and says which class and method is meant. */
  definitionError(fact: string, mend: string): HandlerDefinitionException;
}

/** A call of such a tool, before anything of it has run. */
export interface McpToolCall {
  readonly exchange: McpExchange;
  readonly tool: string;
  /** Unvalidated. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Whether it goes on with a conversation of the wire. */
  readonly isRetry: boolean;
  /**
   * Has guards let it pass, and holds client and arguments against what the tool needs: for calls that
   * are answered before the tool runs.
   * @returns what it is answered when they do not fit
   * @throws the refusal of a guard | MissingClientCapabilityException
   */
  admit(): Promise<CallToolResult | undefined>;
  /** Runs it, as if there were no extension but for how it may leave. */
  run(leave: McpCallLeave): Promise<Result>;
}

/** Answers the calls of a tool. What it throws is the answer's error. */
export interface McpToolTaker {
  take(call: McpToolCall): Awaitable<Result>;
}
