import { isObservable } from 'rxjs';
import { type McpProgressSource, type MrtrContext, contextStorage } from '../context/index.js';
import type { McpExchange, McpHandlerInfo } from '../exchange/index.js';
import { isPending } from '../protocol/is-pending.js';
import type { JsonValue, ReplayableMethod, Suspension } from '../protocol/index.js';
import {
  type CallOutcome,
  type ClaimedRound,
  type Conversation,
  fingerprint,
  type HandlerReplayOptions,
  type KeptAnswer,
  keptResult,
  type ReplayCall,
  type ReplayCarrier,
  type Round,
  type RoundDeparture,
} from '../replay/index.js';
import { checkArguments } from './argument-limits.js';
import { argumentOf } from './argument-of.js';
import { boundedRound } from './bounded-round.js';
import type { CallLimits } from './call-limits.js';
import type { HandlerCall } from './handler-call.js';
import { unlessEmpty } from './unless-empty.js';
import { collectValue, isPlain, lastValue } from './values/index.js';

/** A handler, as far as a call needs it. */
export interface Callable extends McpHandlerInfo {
  /** Class and method, for logs. */
  readonly source: string;
  /** What a call of it may take. */
  readonly limits: CallLimits;
  /** How its conversations are kept, where otherwise than its server's. */
  readonly replay: HandlerReplayOptions;
  /** Validates and converts the arguments. @throws when they do not fit */
  prepare(args: Record<string, unknown>): unknown;
  /** The context to inject. */
  contextFor(target: string, exchange: McpExchange, round: Round): MrtrContext;
}

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
 * 1. `suspension`, `detached` and `repeated` are what the engine decided last. They outrank whatever the
 *    pipeline returns.
 * 2. Arguments are validated inside the round: after guards and state, before pipes and handler.
 * 3. What the handler returned is read inside the round: a generator is a handler that goes on.
 * 4. Every attempt of a retrying interceptor has a context of its own.
 */
export class McpCall implements ReplayCall, HandlerCall {
  /** Set once guards and the user's interceptors have let the call through. */
  entered = false;
  suspension: Suspension | undefined;
  /** What goes on elsewhere, from the top. */
  detached: Conversation | undefined;
  /** What the round was answered with when it was played before; outranks the pipeline as well. */
  repeated: KeptAnswer | undefined;
  /** Of a handler that is played once: keeps the result for duplicates. */
  claim?: ClaimedRound;
  attempt?: Conversation | undefined;
  private readonly argumentsJson: string;
  private digest?: string;
  private preparedArguments: unknown;
  private entering?: MrtrContext;
  private turn = 0;

  constructor(
    readonly handler: Callable,
    readonly exchange: McpExchange,
    private readonly request: CallRequest,
    private readonly carrier: ReplayCarrier,
    private readonly maxResultBytes: number,
    readonly departure?: RoundDeparture,
  ) {
    // A handler may change its arguments; the digest is of what the client sent.
    checkArguments(request.arguments);
    this.argumentsJson = JSON.stringify(request.arguments);
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

  get signal(): AbortSignal {
    return this.exchange.signal;
  }

  get replay(): HandlerReplayOptions {
    return this.handler.replay;
  }

  get rehearsed(): boolean {
    return this.exchange.rehearsed;
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

  argument(name: string): unknown {
    return argumentOf(this.arguments, name);
  }

  /** That of the attempt whose handler is being entered: parameters are read before anything is awaited. */
  context(): MrtrContext | undefined {
    return this.entering;
  }

  argumentsDigest(): string {
    return (this.digest ??= fingerprint(JSON.parse(this.argumentsJson) as JsonValue));
  }

  async play(proceed: () => Promise<unknown>): Promise<unknown> {
    this.entered = true;
    this.suspension = undefined;
    this.detached = undefined;
    this.repeated = undefined;
    this.turn += 1;
    const { turn } = this;
    const outcome = await boundedRound(this.handler.limits, this.exchange, () =>
      this.round(proceed),
    );
    switch (outcome.type) {
      case 'completed':
        return outcome.value;
      case 'repeated':
        this.repeated = outcome.answer;
        return keptResult(outcome.answer);
      case 'suspended':
        // An attempt that an interceptor has given up on decides nothing.
        if (turn === this.turn) this.suspension = outcome.result;
        return outcome.result;
      case 'detached':
        if (turn === this.turn) this.detached = outcome.conversation;
        // What interceptors see of a call that goes on elsewhere.
        return { resultType: 'task' };
    }
  }

  private round(proceed: () => Promise<unknown>): Promise<CallOutcome<unknown>> {
    return this.carrier.play(this, (round) => {
      if (round.claim !== undefined) this.claim = round.claim;
      const context = this.handler.contextFor(this.target, this.exchange, round);
      return contextStorage.run(context, async () => {
        const prepared = this.handler.prepare(this.request.arguments);
        this.preparedArguments = isPending(prepared) ? await prepared : prepared;
        this.entering = context;
        try {
          const returned = await proceed();
          return isPlain(returned) ? returned : await this.collect(returned, context);
        } catch (error) {
          throw unlessEmpty(error);
        }
      });
    });
  }

  /**
   * Reads what is still to be read of a value.
   * @param progress the running handler, if it is one
   */
  async collect(value: unknown, progress?: McpProgressSource): Promise<unknown> {
    const { handlerName: handler, exchange, maxResultBytes: maxBytes } = this;
    const last = isObservable(value) ? await lastValue(value, exchange) : value;
    return collectValue(last, { handler, exchange, maxBytes, progress });
  }
}
