import type { AbsoluteProgress, CountingProgress, PercentageProgress } from './progress/index.js';

/**
 * Makes progress emitters for the running call. Reports reach the client only when it sent a
 * `progressToken`, and never twice: what an earlier round has reported is not sent again.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 */
export abstract class McpProgressSource {
  /** Counts finished items. @param total how many there will be, if known */
  abstract countingProgress(total?: number): CountingProgress;
  /** Reports amounts. @param total the amount that means done, if known */
  abstract absoluteProgress(total?: number): AbsoluteProgress;
  /** Reports the fraction complete. */
  abstract percentageProgress(): PercentageProgress;
}
