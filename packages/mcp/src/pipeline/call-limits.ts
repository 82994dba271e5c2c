import { HandlerBusyException, HandlerTimeoutException } from '../exceptions/index.js';
import type { ClientFeature, McpExchange } from '../exchange/index.js';

/** What a handler's options say of its limits; all checked. */
export interface CallLimitOptions {
  readonly requires?: readonly ClientFeature[];
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly maxConcurrent?: number;
}

/** What becomes of a handler's work after its call has timed out. */
export type LateEnd = (error: unknown) => void;

/**
 * The limits of one handler.
 *
 * 1. What the client lacks is known before a place is taken or anything runs.
 * 2. A place is held until the handler has really settled, even when nobody waits for it any more.
 * 3. When time is up the caller is told first, and then the signal aborts: what the handler throws
 *    in answer to the signal is not the caller's answer.
 */
export class CallLimits {
  private running = 0;

  constructor(
    private readonly handler: string,
    private readonly options: CallLimitOptions = {},
  ) {}

  /**
   * Runs a round within the limits.
   * @param late told of an error that came after the time was up
   * @throws MissingClientCapabilityException | HandlerBusyException | HandlerTimeoutException
   */
  run<T>(exchange: McpExchange, round: () => Promise<T>, late: LateEnd): Promise<T> {
    const { timeoutMs } = this.options;
    this.checkClient(exchange);
    const work = this.hold(round);
    return timeoutMs === undefined ? work : this.within(timeoutMs, exchange, work, late);
  }

  /** @throws MissingClientCapabilityException */
  checkClient(exchange: McpExchange): void {
    const { requires } = this.options;
    if (requires !== undefined) exchange.client.require(...requires);
  }

  private hold<T>(round: () => Promise<T>): Promise<T> {
    const { maxConcurrent } = this.options;
    if (maxConcurrent === undefined) return round();
    if (this.running >= maxConcurrent) throw new HandlerBusyException(this.handler, maxConcurrent);
    this.running += 1;
    return round().finally(() => {
      this.running -= 1;
    });
  }

  private within<T>(
    timeoutMs: number,
    exchange: McpExchange,
    work: Promise<T>,
    late: LateEnd,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = setTimeout(() => {
        const timeout = new HandlerTimeoutException(this.handler, timeoutMs);
        reject(timeout);
        work.catch((error: unknown) => late(error));
        exchange.abort(timeout);
      }, timeoutMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
