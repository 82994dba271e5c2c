import type { HandlerHost } from '../discovery/index.js';
import { definitionError } from './argument-schema.js';

/**
 * A misspelt option would be ignored; types do not catch it in what is spread or built at run time.
 * @param decorator the handler was declared with
 * @param kind of the handlers that have such options, in the plural
 * @param known the options there are, by name
 * @throws HandlerDefinitionException
 */
export function checkOptionNames(
  host: HandlerHost,
  decorator: string,
  kind: string,
  options: object,
  known: Readonly<Record<string, true>>,
): void {
  const odd = Object.keys(options).find((option) => !Object.hasOwn(known, option));
  if (odd === undefined) return;
  throw definitionError(
    host,
    `@${decorator}() has an option "${odd}", which ${kind} do not have`,
    `Leave it out; there are ${Object.keys(known).join(', ')}`,
  );
}
