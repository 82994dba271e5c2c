import { McpException } from './mcp.exception.js';

/**
 * The user has declined or cancelled what `ctx.ask()` asked for, and the call ends with these words. It is
 * how a call may end and no failure: a tool answers with a result, prompts and resources, which have
 * nothing else to say, with code 422.
 */
export class CallEndedException extends McpException {
  readonly code = 422;
  override readonly httpStatus = 422;

  constructor(
    message: string,
    readonly action: 'decline' | 'cancel',
  ) {
    super(message, { action });
  }
}
