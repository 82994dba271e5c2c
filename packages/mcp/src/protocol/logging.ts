/**
 * How severe a log message is, by RFC 5424, from the least to the most severe.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging#log-levels
 */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** One of the eight severities of RFC 5424. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** True for a word of {@link LOG_LEVELS}. */
export function isLogLevel(value: unknown): value is LogLevel {
  return LOG_LEVELS.includes(value as LogLevel);
}

/** A log message on its way to the client that asked for it. */
export interface LoggingMessageNotificationParams {
  level: LogLevel;
  /** Which part of the server speaks. */
  logger?: string;
  /** Any JSON value. */
  data: unknown;
}
