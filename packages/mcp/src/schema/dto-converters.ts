import type { JsonSchema } from './json-schema.js';

interface Decorator {
  readonly constraints: readonly unknown[];
}

type Converter = JsonSchema | ((decorator: Decorator) => JsonSchema);

/** A date, or a moment. */
const DATE_TEXT: JsonSchema = {
  type: 'string',
  anyOf: [{ format: 'date' }, { format: 'date-time' }],
};

/**
 * What class-validator's decorators say in JSON Schema, where class-validator-jsonschema says
 * something narrower or wider: a client that believed it would refuse what the server accepts.
 */
export const DTO_CONVERTERS: Readonly<Record<string, Converter>> = {
  // Lists the names of a numeric enum beside its values.
  isEnum: ({ constraints: [source] }) => ({ enum: enumValues(source as object) }),
  isUrl: { type: 'string', format: 'uri' },
  // Makes a string of everything that must not be empty.
  isNotEmpty: { minLength: 1 },
  isDateString: DATE_TEXT,
  isIso8601: DATE_TEXT,
  isIp: ({ constraints: [version] }) =>
    version === '4' || version === '6' || version === 4 || version === 6
      ? { type: 'string', format: `ipv${version}` }
      : { type: 'string' },
  contains: ({ constraints: [text] }) => ({ type: 'string', pattern: escape(String(text)) }),
  notContains: ({ constraints: [text] }) => ({
    type: 'string',
    not: { pattern: escape(String(text)) },
  }),
  // A pattern of JSON Schema has no flags, and is read as unicode.
  matches: ({ constraints: [pattern] }) => ({
    type: 'string',
    ...(isPortable(pattern as RegExp) && { pattern: (pattern as RegExp).source }),
  }),
};

function enumValues(source: object): unknown[] {
  if (Array.isArray(source)) return source;
  const entries = Object.entries(source);
  const names = new Map(entries);
  // TypeScript adds to a numeric enum, for each value, its name: { A: 0, 0: 'A' }.
  return entries
    .filter(([name, value]) => !(Number(name) === names.get(String(value)) && name !== ''))
    .map(([, value]) => value as unknown);
}

function isPortable(pattern: RegExp): boolean {
  if (pattern.flags !== '' && pattern.flags !== 'u') return false;
  try {
    new RegExp(pattern.source, 'u');
    return true;
  } catch {
    return false;
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
