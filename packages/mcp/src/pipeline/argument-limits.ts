import { InvalidParamsException } from '../exceptions/index.js';
import { MAX_JSON_DEPTH } from '../replay/index.js';

/**
 * Refuses arguments that could not be bound to a conversation: nested deeper than anything follows
 * them, or with numbers beyond what a double holds, which would all be written alike.
 * @throws InvalidParamsException
 */
export function checkArguments(args: unknown): void {
  check(args, 0);
}

function check(value: unknown, depth: number): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      throw new InvalidParamsException(
        'An argument is a number too large to hold. Send it as text.',
      );
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_JSON_DEPTH) {
    throw new InvalidParamsException(
      `The arguments are nested more than ${MAX_JSON_DEPTH} levels deep. Send flatter arguments.`,
    );
  }
  for (const member of Object.values(value)) check(member, depth + 1);
}
