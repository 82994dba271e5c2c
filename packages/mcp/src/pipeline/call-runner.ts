import { Injectable, IntrinsicException, Logger } from '@nestjs/common';
import { CallCancelledException } from '../exceptions/index.js';
import type { McpExchange } from '../exchange/index.js';
import { ResolvedOptions } from '../options/index.js';
import type { Awaitable, InputRequiredResult, Result } from '../protocol/index.js';
import {
  isSealed,
  keptResult,
  MrtrEngine,
  RecordCarrier,
  type RecordedConversation,
  RoundPlayer,
  type SaveEntries,
  STAYING,
} from '../replay/index.js';
import { isOverdue, leftConversation, type McpCallLeave, RunningRound } from './call-leave.js';
import { Departure } from './departure.js';
import type { HandlerInvoker } from './handler-invoker.factory.js';
import { type Callable, type CallRequest, McpCall } from './mcp-call.js';
import { EntrySaver, isOfTheMoment, type McpPlayedRound, playedRound } from './played-round.js';
import { type PipelineEnd, settleCall } from './settle-call.js';
import { isPlain } from './values/index.js';

/** What is called. */
type Invocable = Callable & { readonly invoke: HandlerInvoker };

/** Makes the answer of how the pipeline ended; what it throws is the answer's error. */
type ToResult<R> = (end: PipelineEnd) => Awaitable<R>;

/** Sends calls through the pipeline and reads how they ended. */
@Injectable()
export class CallRunner {
  private readonly logger = new Logger('McpHandler');

  constructor(
    private readonly engine: MrtrEngine,
    private readonly player: RoundPlayer,
    private readonly options: ResolvedOptions,
  ) {}

  /**
   * @param toResult makes the answer
   * @returns that answer, or that of the engine: questions, or what a duplicate was answered with
   */
  async run<R extends Result>(
    handler: Invocable,
    exchange: McpExchange,
    request: CallRequest,
    toResult: ToResult<R>,
  ): Promise<R | InputRequiredResult> {
    const { maxResultBytes } = this.options;
    const call = new McpCall(handler, exchange, request, this.engine, maxResultBytes);
    const end = await this.end(call, handler.invoke);
    return this.kept(call, end, () => this.answer(call, end, toResult));
  }

  /** Runs a call that may leave its request. */
  async runUntilLeft<R extends Result>(
    handler: Invocable,
    exchange: McpExchange,
    request: CallRequest,
    toResult: ToResult<R>,
    leave: McpCallLeave,
  ): Promise<Result> {
    const { maxResultBytes } = this.options;
    const departure = new Departure(leave.detach);
    const call = new McpCall(handler, exchange, request, this.engine, maxResultBytes, departure);
    const ending = this.end(call, handler.invoke);
    const answer = async (): Promise<Result> => {
      const end = await ending;
      const { detached } = call;
      return detached === undefined
        ? this.answer(call, end, toResult)
        : leave.detached(leftConversation(detached));
    };
    const { afterMs } = leave;
    const isLate = afterMs !== undefined && (await isOverdue(departure, afterMs, ending));
    if (!isLate || exchange.aborted) return this.kept(call, await ending, answer);
    const running = new RunningRound(departure, exchange, ending, async () =>
      this.played(call, await ending, departure.lost, toResult),
    );
    const taken = (async () => leave.overdue?.(running))();
    const waitsOn = await taken.then(
      (result) => result === undefined,
      () => false,
    );
    if (waitsOn) {
      running.handBack();
      return this.kept(call, await ending, answer);
    }
    const make = (): Promise<Result> => taken as Promise<Result>;
    return call.claim === undefined ? make() : call.claim.answer(make);
  }

  /** Plays a round of a conversation that is kept in a record, and of a call that was let pass before. */
  async runRecorded<R extends Result>(
    handler: Invocable,
    exchange: McpExchange,
    request: CallRequest,
    recorded: RecordedConversation,
    save: SaveEntries,
    toResult: ToResult<R>,
  ): Promise<McpPlayedRound<R> & Pick<RecordedConversation, 'entries'>> {
    const { maxResultBytes } = this.options;
    const saver = new EntrySaver(save);
    const carrier = new RecordCarrier(this.player, recorded, saver.save);
    const call = new McpCall(handler, exchange, request, carrier, maxResultBytes, STAYING);
    const end = await this.end(call, handler.invoke);
    const played = await this.played(call, end, saver.lost, toResult);
    return { ...played, entries: carrier.entries };
  }

  private async end(call: McpCall, invoke: HandlerInvoker): Promise<PipelineEnd> {
    const end = await settleCall(call, () => invoke(call));
    return end.type === 'failed' || isPlain(end.value) ? end : this.collected(call, end.value);
  }

  /** Of a handler that is played once, the answer is kept for duplicates. */
  private kept<R extends Result>(
    call: McpCall,
    end: PipelineEnd,
    make: () => Awaitable<R>,
  ): Awaitable<R> {
    const { claim, suspension, repeated } = call;
    // The engine has kept these, and nobody knows how far a handler came that was told to stop.
    const isKept = suspension !== undefined && isSealed(suspension);
    const without = isKept || repeated !== undefined || wasCancelled(end);
    return claim === undefined || without ? make() : claim.answer(make);
  }

  private answer<R extends Result>(
    call: McpCall,
    end: PipelineEnd,
    toResult: ToResult<R>,
  ): Awaitable<R | InputRequiredResult> {
    const { suspension, repeated } = call;
    if (suspension !== undefined) return this.engine.sealed(call, suspension);
    return repeated === undefined ? toResult(end) : (keptResult(repeated) as unknown as R);
  }

  private played<R extends Result>(
    { suspension, detached }: McpCall,
    end: PipelineEnd,
    lost: EntrySaver['lost'],
    toResult: ToResult<R>,
  ): Promise<McpPlayedRound<R>> {
    return playedRound(async () => {
      if (lost !== undefined) return { type: 'unplayed', cause: lost.cause };
      if (suspension !== undefined) {
        return { type: 'suspended', inputRequests: suspension.inputRequests };
      }
      if (detached !== undefined) return { type: 'unplayed', cause: 'detach()' };
      if (end.type === 'failed' && (isOfTheMoment(end.error) || wasCancelled(end))) {
        return { type: 'unplayed', cause: end.error };
      }
      return { type: 'completed', result: await toResult(end) };
    });
  }

  /** Interceptors and filters may have returned a stream of their own, filters an Observable too. */
  private async collected(call: McpCall, value: unknown): Promise<PipelineEnd> {
    try {
      return { type: 'returned', value: await call.collect(value) };
    } catch (error) {
      // Nest's filters have had their turn.
      if (!(error instanceof IntrinsicException) && !call.exchange.aborted)
        this.logger.error(error);
      return { type: 'failed', error, entered: call.entered };
    }
  }
}

function wasCancelled(end: PipelineEnd): boolean {
  return end.type === 'failed' && end.error instanceof CallCancelledException;
}
