import type { Field } from './field.js';

/** The lines that stand above a field: its explanation and its choices. */
export function fieldIntroduction(field: Field): string[] {
  const lines = field.description === undefined ? [] : [field.description];
  return 'choices' in field
    ? [...lines, ...field.choices.map(({ title }, index) => `${index + 1}  ${title}`)]
    : lines;
}

/** What stands before the cursor: `Seats (1 to 500) [1]`. */
export function fieldPrompt(field: Field): string {
  const expectation = expectationOf(field);
  const hint = expectation === '' ? '' : ` (${expectation})`;
  const preset = presetOf(field);
  return `${field.label}${hint}${preset === '' ? '' : ` [${preset}]`}`;
}

function expectationOf(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.format ?? '';
    case 'integer':
    case 'number':
      return rangeOf(field.minimum, field.maximum, field.kind === 'integer' ? '' : 'a number');
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return field.choices.length === 1 ? '1' : `1 to ${field.choices.length}`;
    case 'choices':
      return 'some, with commas between';
    case 'json':
      return 'JSON';
  }
}

function rangeOf(minimum: number | undefined, maximum: number | undefined, words: string): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `at least ${minimum}`;
  return maximum === undefined ? words : `at most ${maximum}`;
}

function presetOf(field: Field): string {
  if (field.default === undefined) return field.required ? '' : 'optional';
  if (typeof field.default === 'boolean') return field.default ? 'yes' : 'no';
  return typeof field.default === 'object' ? field.default.join(', ') : String(field.default);
}
