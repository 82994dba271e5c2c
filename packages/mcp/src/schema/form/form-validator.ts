import { fullFormats } from 'ajv-formats/dist/formats.js';
import type {
  FormValue,
  PrimitiveSchema,
  RequestedSchema,
  StringFormat,
} from '../../protocol/index.js';

/** Content held against a form: complete and clean, or what a person should correct. */
export type FormResult =
  | { readonly ok: true; readonly content: { [name: string]: FormValue } }
  | { readonly ok: false; readonly reasons: readonly string[] };

/**
 * Holds the content of an answer against its form. Forms are made inside handlers, so they are
 * interpreted: compiling each would cost more than it saves and would never be freed.
 *
 * Defaults fill what is missing; properties the form does not have are left out.
 */
export function validateForm(
  schema: RequestedSchema,
  content: { readonly [name: string]: unknown },
): FormResult {
  const accepted: { [name: string]: FormValue } = {};
  const reasons: string[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(content, name) ? content[name] : copyOf(property.default);
    if (value === undefined) {
      if (schema.required?.includes(name)) reasons.push(`"${label(name, property)}" is required`);
      continue;
    }
    const problem = fieldProblem(property, value);
    if (problem === undefined) accepted[name] = value as FormValue;
    else reasons.push(`"${label(name, property)}" ${problem}`);
  }
  return reasons.length === 0 ? { ok: true, content: accepted } : { ok: false, reasons };
}

/** A list belongs to whoever has made it: what another does with its value must not reach it. */
export function copyOf<T>(value: T): T {
  return Array.isArray(value) ? ([...(value as unknown[])] as T) : value;
}

/** The values a choice offers; `undefined` for other properties. */
export function fieldChoices(schema: PrimitiveSchema): readonly string[] | undefined {
  if (schema.type === 'array') {
    return 'enum' in schema.items
      ? schema.items.enum
      : schema.items.anyOf.map((choice) => choice.const);
  }
  if ('enum' in schema) return schema.enum;
  if ('oneOf' in schema) return schema.oneOf.map((choice) => choice.const);
  return undefined;
}

/** What is wrong with a value, as the rest of a sentence; `undefined` when it fits. */
export function fieldProblem(schema: PrimitiveSchema, value: unknown): string | undefined {
  const choices = fieldChoices(schema);
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return 'must be text';
      if (choices !== undefined) return choices.includes(value) ? undefined : oneOf(choices);
      return 'enum' in schema || 'oneOf' in schema ? undefined : textProblem(schema, value);
    case 'integer':
      if (!Number.isSafeInteger(value)) return 'must be a whole number';
      return rangeProblem(schema, value as number);
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      return rangeProblem(schema, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return choicesProblem(schema, choices as readonly string[], value);
  }
}

function label(name: string, schema: PrimitiveSchema): string {
  return schema.title ?? name;
}

function textProblem(
  schema: { minLength?: number; maxLength?: number; format?: StringFormat },
  value: string,
): string | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const length = Array.from(value).length;
  if (schema.minLength !== undefined && length < schema.minLength) {
    return `must have at least ${schema.minLength} characters`;
  }
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return `must have at most ${schema.maxLength} characters`;
  }
  if (schema.format !== undefined && !FORMATS[schema.format].check(value)) {
    return `must be ${FORMATS[schema.format].words}`;
  }
  return undefined;
}

const FORMATS: Record<StringFormat, { words: string; check: (value: string) => boolean }> = {
  email: { words: 'an e-mail address', check: formatCheck('email') },
  uri: { words: 'a URI such as https://example.com', check: formatCheck('uri') },
  date: { words: 'a date such as 2026-07-28', check: formatCheck('date') },
  'date-time': {
    words: 'a date and time such as 2026-07-28T12:00:00Z',
    check: formatCheck('date-time'),
  },
};

function formatCheck(format: StringFormat): (value: string) => boolean {
  const definition = fullFormats[format] as
    RegExp | ((value: string) => boolean) | { validate: (value: string) => boolean };
  if (definition instanceof RegExp) return (value) => definition.test(value);
  return typeof definition === 'function' ? definition : definition.validate;
}

function rangeProblem(
  { minimum, maximum }: { minimum?: number; maximum?: number },
  value: number,
): string | undefined {
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function choicesProblem(
  { minItems, maxItems }: { minItems?: number; maxItems?: number },
  choices: readonly string[],
  value: unknown,
): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => choices.includes(item as string))) {
    return `must be a list of ${choices.map(quote).join(', ')}`;
  }
  if (new Set(value).size < value.length) return 'must not repeat a value';
  if (minItems !== undefined && value.length < minItems) return `must have at least ${minItems}`;
  if (maxItems !== undefined && value.length > maxItems) return `must have at most ${maxItems}`;
  return undefined;
}

function oneOf(choices: readonly string[]): string {
  return `must be one of ${choices.map(quote).join(', ')}`;
}

function quote(value: string): string {
  return JSON.stringify(value);
}
