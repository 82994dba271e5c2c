import { ErrorCode } from '../protocol/index.js';
import { McpException } from './mcp.exception.js';

/**
 * A rehearsed handler took another way when it was played again: it ended without coming to what it had
 * done before. Only a client in this process can ask for a rehearsal; see `McpInProcess`.
 */
export class DivergedReplayException extends McpException {
  readonly code = ErrorCode.InternalError;
  override readonly httpStatus = 500;

  constructor(
    readonly handler: string,
    /** Keys of the entries it did not come to. */
    readonly leftover: readonly string[],
  ) {
    super(leftoverMessage(handler, leftover), { reason: 'replay_diverged', handler, leftover });
  }
}

/** What is said of a handler that has left out what earlier passes had. */
export function leftoverMessage(handler: string, leftover: readonly string[]): string {
  return (
    `"${handler}" ended without coming to ${leftover.map((key) => `"${key}"`).join(', ')}, which earlier rounds had: ` +
    'played again with the same answers, a handler must ask and do the same. Draw what may differ from ctx.now(), ctx.random() and ' +
    'ctx.step(), and guard changes of its code with ctx.version().'
  );
}
