import { contextStorage, McpCompletionContext } from '../../context/index.js';
import type { McpExchange, McpHandlerInfo } from '../../exchange/index.js';
import {
  argumentOf,
  boundedRound,
  type CallLimits,
  type HandlerCall,
  unlessEmpty,
} from '../../pipeline/index.js';
import type { CompletionRequest } from './complete-params.js';
import { gatherCompletions } from './gather-completions.js';

/** What answers a completion, as far as a call needs it. */
export interface Completer {
  /** As guards are told. */
  readonly info: McpHandlerInfo;
  readonly limits: CallLimits;
  /** Converts the other arguments. @throws when they do not fit */
  prepare(args: Record<string, unknown>): unknown;
}

/**
 * One completion on its way through Nest's pipeline. It has no conversation: nothing is asked, so
 * nothing is replayed.
 */
export class CompletionCall implements HandlerCall {
  /** Set once guards and the user's interceptors have let the call through. */
  entered = false;
  private preparedArguments: unknown;

  constructor(
    private readonly completer: Completer,
    /** Name of the prompt, or text of the template. */
    private readonly target: string,
    readonly exchange: McpExchange,
    private readonly request: CompletionRequest,
  ) {}

  get handler(): McpHandlerInfo {
    return this.completer.info;
  }

  get value(): string {
    return this.request.value;
  }

  /** Converted in the round. */
  get arguments(): unknown {
    return this.preparedArguments ?? this.request.arguments;
  }

  argument(name: string): unknown {
    return argumentOf(this.arguments, name);
  }

  context(): McpCompletionContext {
    const { argument, value, arguments: others } = this.request;
    return new McpCompletionContext(this.target, argument, value, others, this.exchange);
  }

  play(proceed: () => Promise<unknown>): Promise<unknown> {
    this.entered = true;
    return boundedRound(this.completer.limits, this.exchange, () =>
      contextStorage.run(this.context(), async () => {
        this.preparedArguments = await this.completer.prepare({ ...this.request.arguments });
        try {
          return await gatherCompletions(await proceed(), this.exchange);
        } catch (error) {
          throw unlessEmpty(error);
        }
      }),
    );
  }
}
