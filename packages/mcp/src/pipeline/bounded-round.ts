import { Logger } from '@nestjs/common';
import {
  CallCancelledException,
  HandlerTimeoutException,
  UnsavedEntriesException,
} from '../exceptions/index.js';
import type { McpExchange } from '../exchange/index.js';
import { isJsonObject } from '../protocol/index.js';
import type { CallLimits } from './call-limits.js';

const logger = new Logger('McpHandler');

/**
 * Runs a round within its handler's limits. What it throws because it was told to stop is no failure;
 * what it throws after its time was up is logged, since nobody waits any more and Nest's filters have
 * seen the timeout only.
 * @throws CallCancelledException in place of an error that obeys the signal
 */
export function boundedRound<T>(
  limits: CallLimits,
  exchange: McpExchange,
  round: () => Promise<T>,
): Promise<T> {
  return limits.run(exchange, () => obedient(exchange, round), logLate);
}

async function obedient<T>(exchange: McpExchange, round: () => Promise<T>): Promise<T> {
  try {
    return await round();
  } catch (error) {
    throw exchange.aborted && isObedience(error) ? new CallCancelledException(error) : error;
  }
}

function logLate(error: unknown): void {
  if (!(error instanceof CallCancelledException)) logger.error(error);
}

/**
 * A round that was told to stop cannot keep what it has recorded where its task has ended: nothing is
 * lost by that. Why it could not be kept is known to whoever plays the round.
 */
function isObedience(error: unknown): boolean {
  return isAbort(error) || error instanceof UnsavedEntriesException;
}

/** What `fetch`, timers and the like throw when their signal aborts, or the signal's own reason. */
function isAbort(error: unknown): boolean {
  return (
    error instanceof HandlerTimeoutException ||
    (isJsonObject(error) && error['name'] === 'AbortError')
  );
}
