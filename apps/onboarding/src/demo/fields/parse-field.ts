import type { JsonValue } from '@dacapo/mcp';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  Field,
  FieldChoice,
  NumberField,
  TextField,
} from './field.js';
import { TEXT_FORMATS } from './text-format.js';

/** What a line of text means for a field; `undefined` leaves an optional field out. */
export type ParsedField =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  /** `problem` is a sentence for the person who typed the line. */
  | { readonly ok: false; readonly problem: string };

/** Reads a line as the value of a field. An empty line takes the default, or leaves the field out. */
export function parseField(field: Field, line: string): ParsedField {
  const text = line.trim();
  if (text === '') return parseNothing(field);
  switch (field.kind) {
    case 'text':
      return parseText(field, text);
    case 'integer':
    case 'number':
      return parseNumber(field, text);
    case 'boolean':
      return parseBoolean(field, text);
    case 'choice':
      return parseChoice(field, text);
    case 'choices':
      return parseChoices(field, text);
    case 'json':
      return parseJson(field, text);
  }
}

function parseNothing(field: Field): ParsedField {
  if (field.default !== undefined) {
    const preset = field.default;
    return accept(typeof preset === 'object' ? [...preset] : preset);
  }
  return field.required ? refuse(field, 'is needed') : accept(undefined);
}

function parseText(field: TextField, text: string): ParsedField {
  const { minLength, maxLength, pattern } = field;
  const length = Array.from(text).length;
  if (minLength !== undefined && length < minLength) {
    return refuse(field, `must have at least ${minLength} characters, not ${length}`);
  }
  if (maxLength !== undefined && length > maxLength) {
    return refuse(field, `must have at most ${maxLength} characters, not ${length}`);
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    return refuse(field, `must match ${pattern}`);
  }
  const format = TEXT_FORMATS[field.format ?? ''];
  if (format !== undefined && !format.fits(text)) return refuse(field, `must be ${format.words}`);
  return accept(text);
}

function parseNumber(field: NumberField, text: string): ParsedField {
  const { kind, minimum, maximum } = field;
  const number = Number(text);
  if (kind === 'integer' && !Number.isSafeInteger(number)) {
    return refuse(field, 'must be a whole number');
  }
  if (!Number.isFinite(number)) return refuse(field, 'must be a number');
  if (minimum !== undefined && number < minimum) {
    return refuse(field, `must be at least ${minimum}`);
  }
  if (maximum !== undefined && number > maximum) {
    return refuse(field, `must be at most ${maximum}`);
  }
  return accept(number);
}

const YES = ['y', 'yes', 'true'];
const NO = ['n', 'no', 'false'];

function parseBoolean(field: BooleanField, text: string): ParsedField {
  const word = text.toLowerCase();
  if (YES.includes(word)) return accept(true);
  return NO.includes(word) ? accept(false) : refuse(field, 'must be yes or no');
}

function parseChoice(field: ChoiceField, text: string): ParsedField {
  const choice = find(field.choices, text);
  return choice === undefined
    ? refuse(field, `must be ${offered(field.choices)}`)
    : accept(choice.value);
}

function parseChoices(field: ChoicesField, text: string): ParsedField {
  const { choices, minItems, maxItems } = field;
  const found = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => find(choices, part)?.value);
  const values = found.filter((value) => value !== undefined);
  if (values.length < found.length) {
    return refuse(field, `must be ${offered(choices)}, with commas between`);
  }
  if (new Set(values).size < values.length) return refuse(field, 'must not repeat a value');
  if (minItems !== undefined && values.length < minItems) {
    return refuse(field, `must have at least ${minItems} of the values`);
  }
  if (maxItems !== undefined && values.length > maxItems) {
    return refuse(field, `must have at most ${maxItems} of the values`);
  }
  return accept(values);
}

function parseJson(field: Field, text: string): ParsedField {
  try {
    return accept(JSON.parse(text) as JsonValue);
  } catch {
    return refuse(field, 'must be JSON, such as ["a", "b"] or {"a": 1}');
  }
}

/** A value or its title, whatever the case; else its number in the list. */
function find(choices: readonly FieldChoice[], text: string): FieldChoice | undefined {
  const word = text.toLowerCase();
  return (
    choices.find(({ value }) => value === text) ??
    choices.find(({ value, title }) =>
      [value, title].some((name) => name.toLowerCase() === word),
    ) ??
    (/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined)
  );
}

function offered(choices: readonly FieldChoice[]): string {
  const values = choices.map(({ value }) => value);
  return values.length === 1
    ? `1 (${values.join()})`
    : `1 to ${values.length}, or one of ${values.join(', ')}`;
}

function accept(value: JsonValue | undefined): ParsedField {
  return { ok: true, value };
}

function refuse({ label }: Field, fact: string): ParsedField {
  return { ok: false, problem: `"${label}" ${fact}.` };
}
