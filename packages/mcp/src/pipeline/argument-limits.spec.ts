import { InvalidParamsException } from '../exceptions/index.js';
import { checkArguments, MAX_ARGUMENT_VALUES } from './argument-limits.js';

function nested(depth: number): unknown {
  return JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));
}

/** An object with one list, of so many values in all. */
function withValues(count: number): unknown {
  return { list: Array.from({ length: count - 2 }, () => 1) };
}

describe('Arguments', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    ['everything JSON has', { a: [1, -1.5, 'x', true, null, {}] }],
    ['the deepest nesting', nested(256)],
    ['the most values', withValues(MAX_ARGUMENT_VALUES)],
  ])('may hold %s', (_, args) => {
    expect(() => checkArguments(args)).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['deeper nesting', nested(257), 'The arguments are nested more than 256 levels deep.'],
    ['nesting without end', nested(20_000), 'The arguments are nested more than 256 levels deep.'],
    [
      'more values',
      withValues(MAX_ARGUMENT_VALUES + 1),
      'hold more than 100000 values. Send fewer.',
    ],
    ['a number that JSON rounded away', JSON.parse('{"a":1e400}'), 'Send it as text.'],
  ])('may not hold %s', (_, args, message) => {
    expect(() => checkArguments(args)).toThrow(InvalidParamsException);
    expect(() => checkArguments(args)).toThrow(message);
  });
});
