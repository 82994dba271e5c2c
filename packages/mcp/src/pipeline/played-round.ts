import { Logger } from '@nestjs/common';
import {
  errorAsJson,
  HandlerBusyException,
  InternalErrorException,
  McpException,
  UnsavedEntriesException,
} from '../exceptions/index.js';
import type { InputRequests, JsonRpcErrorObject, Result } from '../protocol/index.js';
import type { SaveEntries } from '../replay/index.js';

/** How a round ended that was played without a request. */
export type McpPlayedRound<R extends Result = Result> =
  | { readonly type: 'completed'; readonly result: R }
  | { readonly type: 'suspended'; readonly inputRequests: InputRequests }
  /** With an error of the protocol. */
  | { readonly type: 'failed'; readonly error: JsonRpcErrorObject }
  /** For now it could not be played, or what it has recorded could not be kept: it is to be played again. */
  | { readonly type: 'unplayed'; readonly cause: unknown };

const logger = new Logger('McpHandler');

/** Keeps what a round records, and remembers that it could not: a filter may make anything of the error. */
export class EntrySaver {
  private failure?: { readonly cause: unknown };

  constructor(private readonly keep: SaveEntries) {}

  /** There once something could not be kept. */
  get lost(): { readonly cause: unknown } | undefined {
    return this.failure;
  }

  readonly save: SaveEntries = (entries) =>
    this.keep(entries)?.catch((cause: unknown) => {
      this.failure = { cause };
      throw cause;
    });
}

/** Reads the result of a round; what throws is an error of the protocol, or of the moment. */
export async function playedRound<R extends Result>(
  make: () => Promise<McpPlayedRound<R>>,
): Promise<McpPlayedRound<R>> {
  try {
    const played = await make();
    return played.type === 'completed'
      ? { type: 'completed', result: asJson(played.result) }
      : played;
  } catch (error) {
    if (isOfTheMoment(error)) return { type: 'unplayed', cause: error };
    if (error instanceof McpException) return { type: 'failed', error: errorAsJson(error) };
    logger.error(error);
    return { type: 'failed', error: new InternalErrorException().toJsonRpcError() };
  }
}

/** True for what says nothing of the call, but of this instance now. */
export function isOfTheMoment(error: unknown): boolean {
  return error instanceof HandlerBusyException || error instanceof UnsavedEntriesException;
}

/** What is kept is what would have been sent. */
function asJson<R extends Result>(result: R): R {
  return JSON.parse(JSON.stringify(result)) as R;
}
