import { InvalidParamsException } from '../exceptions/index.js';
import { type MrtrContext, contextStorage } from '../context/index.js';
import type { McpExchange } from '../exchange/index.js';
import {
  isJsonObject,
  type InputRequiredResult,
  type JsonValue,
  type ReplayableMethod,
} from '../protocol/index.js';
import {
  fingerprint,
  type MrtrEngine,
  type ReplayCall,
  type ReplayHost,
  type Round,
} from '../replay/index.js';

/** A handler, as far as a call needs it. */
export interface Callable {
  /** Tool or prompt name, or uri (template) of a resource; for messages. */
  readonly name: string;
  readonly kind: HandlerKind;
  /** Class and method, for logs. */
  readonly source: string;
  /** Validates and converts the arguments. @throws when they do not fit */
  prepare(args: Record<string, unknown>): unknown;
  /** The context to inject. */
  contextFor(target: string, exchange: McpExchange, round: Round): MrtrContext;
}

export type HandlerKind = 'tool' | 'prompt' | 'resource' | 'resource template';

/** What a request says about the call it wants. */
export interface CallRequest {
  readonly method: ReplayableMethod;
  /** Tool or prompt name, or resource uri. */
  readonly target: string;
  /** Unvalidated. */
  readonly arguments: Record<string, unknown>;
  readonly inputResponses: unknown;
  readonly requestState: unknown;
}

/**
 * One call on its way through Nest's pipeline.
 *
 * 1. `suspension` is what the engine decided last. It outranks whatever the pipeline returns.
 * 2. Arguments are validated inside the round: after guards and state, before pipes and handler.
 */
export class McpCall implements ReplayCall, ReplayHost {
  /** Set once guards and the user's interceptors have let the call through. */
  entered = false;
  suspension?: InputRequiredResult;
  private readonly argumentsJson: string;
  private preparedArguments: unknown;
  private currentContext?: MrtrContext;

  constructor(
    readonly handler: Callable,
    readonly exchange: McpExchange,
    private readonly request: CallRequest,
    private readonly engine: MrtrEngine,
  ) {
    // A handler may change its arguments; the digest is of what the client sent.
    this.argumentsJson = snapshot(request.arguments);
  }

  get handlerName(): string {
    return this.handler.name;
  }

  get method(): ReplayableMethod {
    return this.request.method;
  }

  get target(): string {
    return this.request.target;
  }

  get principal(): string | null {
    return this.exchange.principal;
  }

  get inputResponses(): unknown {
    return this.request.inputResponses;
  }

  get requestState(): unknown {
    return this.request.requestState;
  }

  /** Validated and converted. */
  get arguments(): unknown {
    return this.preparedArguments ?? this.request.arguments;
  }

  /** One validated argument by name. */
  argument(name: string): unknown {
    const args = this.arguments;
    return isJsonObject(args) && name in args ? args[name] : undefined;
  }

  /** The context of the round that runs. */
  get context(): MrtrContext {
    return this.currentContext as MrtrContext;
  }

  argumentsDigest(): string {
    return fingerprint(JSON.parse(this.argumentsJson) as JsonValue);
  }

  async play(proceed: () => Promise<unknown>): Promise<unknown> {
    this.entered = true;
    delete this.suspension;
    const outcome = await this.engine.play(this, (round) => {
      this.currentContext = this.handler.contextFor(this.target, this.exchange, round);
      return contextStorage.run(this.currentContext, async () => {
        this.preparedArguments = await this.handler.prepare(this.request.arguments);
        return proceed();
      });
    });
    switch (outcome.type) {
      case 'completed':
        return outcome.value;
      case 'suspended':
        this.suspension = outcome.result;
        return outcome.result;
    }
  }
}

function snapshot(args: Record<string, unknown>): string {
  try {
    return JSON.stringify(args);
  } catch {
    throw new InvalidParamsException('The arguments are nested too deep. Send flatter arguments.');
  }
}
