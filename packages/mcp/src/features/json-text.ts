import { InvalidResultException } from '../exceptions/index.js';

/** The JSON of what a handler returned. @throws InvalidResultException when it has none */
export function jsonText(handler: string, value: unknown): string {
  const text = stringify(handler, value);
  if (text === undefined) throw new InvalidResultException(handler, `JSON has no ${typeof value}`);
  return text;
}

/** `undefined` for what JSON leaves out: functions, symbols and `undefined` itself. */
function stringify(handler: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new InvalidResultException(handler, `it is not JSON (${(error as Error).message})`);
  }
}
