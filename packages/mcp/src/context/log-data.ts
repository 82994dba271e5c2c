import { Logger } from '@nestjs/common';
import type { JsonValue } from '../protocol/index.js';

/** What the client reads instead of data that JSON cannot carry. */
export const UNLOGGABLE = '(data that JSON cannot carry)';

const logger = new Logger('McpClientLog');

/** The data of a log message as JSON carries it, cut off from whatever its author does to it later. */
export function logData(data: unknown): JsonValue {
  try {
    const text = JSON.stringify(
      data instanceof Error ? { name: data.name, message: data.message } : data,
    ) as string | undefined;
    if (text !== undefined) return JSON.parse(text) as JsonValue;
    return unloggable(`it is ${data === undefined ? 'undefined' : `a ${typeof data}`}`);
  } catch (error) {
    return unloggable(error instanceof Error ? error.message : 'its toJSON() throws');
  }
}

/** The mistake is its author's to see; the call goes on. */
function unloggable(reason: string): JsonValue {
  logger.warn(
    `The data of a log message for the client cannot be written as JSON (${reason}). ` +
      'Give it strings, numbers, booleans, null, and lists and objects of them.',
  );
  return UNLOGGABLE;
}
