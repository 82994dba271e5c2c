import { InvalidOptionsException } from '../exceptions/index.js';

const SERVER_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Types do not hold in plain JavaScript, nor for what is read from elsewhere.
 * @param option where the name was given, for messages
 * @throws InvalidOptionsException
 */
export function checkServerName(option: string, name: unknown): void {
  if (typeof name === 'string' && SERVER_NAME.test(name)) return;
  throw new InvalidOptionsException(
    option,
    factOf(name),
    'Use 1 to 64 letters, digits, "_", "." or "-"',
  );
}

/**
 * Without a name handlers would belong to no server, and be served by none without a word.
 * @throws InvalidOptionsException
 */
export function checkServerNames(option: string, names: readonly unknown[]): void {
  for (const name of names.length === 0 ? [undefined] : names) checkServerName(option, name);
}

function factOf(name: unknown): string {
  if (name === undefined) return 'is missing';
  return typeof name === 'function' ? 'is a function' : `is ${JSON.stringify(name)}`;
}
