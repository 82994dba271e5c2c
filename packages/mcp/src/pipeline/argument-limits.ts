import { InvalidParamsException } from '../exceptions/index.js';
import { MAX_JSON_DEPTH } from '../schema/index.js';

/** How many values arguments may hold; what checks them takes its time for each. */
export const MAX_ARGUMENT_VALUES = 100_000;

/**
 * Refuses arguments that could not be bound to a conversation or would take too long to check: nested
 * deeper than anything follows them, of too many values, or with numbers beyond what a double holds,
 * which would all be written alike.
 * @throws InvalidParamsException
 */
export function checkArguments(args: unknown): void {
  let values = 0;
  const check = (value: unknown, depth: number): void => {
    values += 1;
    if (values > MAX_ARGUMENT_VALUES) {
      throw new InvalidParamsException(
        `The arguments hold more than ${MAX_ARGUMENT_VALUES} values. Send fewer.`,
      );
    }
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw new InvalidParamsException(
        'An argument is a number too large to hold. Send it as text.',
      );
    }
    if (typeof value !== 'object' || value === null) return;
    if (depth >= MAX_JSON_DEPTH) {
      throw new InvalidParamsException(
        `The arguments are nested more than ${MAX_JSON_DEPTH} levels deep. Send flatter arguments.`,
      );
    }
    for (const member of Object.values(value)) check(member, depth + 1);
  };
  check(args, 0);
}
