import type { LogLevel } from '../protocol/index.js';

/**
 * Log messages for the client: `ctx.log` in a handler, or injected in the constructor of any service
 * that handlers call. The server's own log is Nest's `Logger`, which none of this touches.
 *
 * A message is sent on the stream of the running request when the client asked for messages of its
 * level (`io.modelcontextprotocol/logLevel` in `_meta`), and only once: what an earlier round of a
 * conversation has sent is not sent again, and what follows an open question is sent by the round
 * that has its answer.
 *
 * Logging never fails a call. Each method returns whether the message was sent; it is not where
 * nobody asked for it, where a client reads too slowly, after the call has ended, and outside of a
 * running handler.
 *
 * `data` is any JSON value. An `Error` is sent as its name and message, without its stack; what JSON
 * cannot carry is replaced by a sentence that says so, and reported on the server. The client reads
 * all of it: no secrets, no personal data, nothing of the server's insides.
 *
 * The protocol deprecates logging to the client in revision 2026-07-28 (SEP-2577). It is still
 * functional; revisions from 2027-07-28 on may remove it. Log on the server, with Nest's `Logger` or
 * OpenTelemetry, and tell the user in results and progress.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 */
export abstract class McpClientLog {
  /** Whether a message of this level would be sent now, for data that takes work to gather. */
  abstract isEnabled(level: LogLevel): boolean;

  /** @param logger which part of the server speaks */
  abstract log(level: LogLevel, data: unknown, logger?: string): boolean;

  /** Details for whoever looks for a fault. */
  debug(data: unknown, logger?: string): boolean {
    return this.log('debug', data, logger);
  }

  /** What goes on. */
  info(data: unknown, logger?: string): boolean {
    return this.log('info', data, logger);
  }

  /** Normal, but worth a look. */
  notice(data: unknown, logger?: string): boolean {
    return this.log('notice', data, logger);
  }

  /** Something may go wrong. */
  warning(data: unknown, logger?: string): boolean {
    return this.log('warning', data, logger);
  }

  /** Something went wrong. */
  error(data: unknown, logger?: string): boolean {
    return this.log('error', data, logger);
  }

  /** A part of the server has failed. */
  critical(data: unknown, logger?: string): boolean {
    return this.log('critical', data, logger);
  }

  /** Somebody must act at once. */
  alert(data: unknown, logger?: string): boolean {
    return this.log('alert', data, logger);
  }

  /** The server cannot be used. */
  emergency(data: unknown, logger?: string): boolean {
    return this.log('emergency', data, logger);
  }
}
