import type { Observable } from 'rxjs';
import type { McpExchange } from '../exchange/index.js';

/**
 * Suggestions, the best first. The first 100 are sent. Of a list, `total` is its length; say it
 * yourself when you know of more than you return, or only that there is more.
 */
export type McpCompletions =
  | readonly string[]
  | {
      readonly values: readonly string[];
      /** How many there are in all; a whole number, no less than `values` has. */
      readonly total?: number;
      readonly hasMore?: boolean;
    };

/**
 * What a completion may return: suggestions now or later, or one after the other (or list by list),
 * of which no more are read than can be sent. Of an Observable the last value counts.
 */
export type McpCompletionsLike =
  | McpCompletions
  | Promise<McpCompletions>
  | Observable<McpCompletions>
  | AsyncIterable<string | readonly string[]>
  | IterableIterator<string | readonly string[]>;

/**
 * Completes an argument.
 * @param value what has been typed of it
 * @param args the other arguments, as far as the client has sent them: text, not validated
 */
export type McpCompleter = (
  value: string,
  args: Readonly<Record<string, string>>,
  exchange: McpExchange,
) => McpCompletionsLike;
