import { InvalidFormException } from '../../exceptions/index.js';
import type { PrimitiveSchema, RequestedSchema } from '../../protocol/index.js';
import { fieldChoices, fieldProblem } from './form-validator.js';

/** The keywords a property may have, by what it collects. */
const KEYWORDS: Record<'text' | 'number' | 'boolean' | 'choice' | 'choices', readonly string[]> = {
  text: ['type', 'title', 'description', 'format', 'minLength', 'maxLength', 'default'],
  number: ['type', 'title', 'description', 'minimum', 'maximum', 'default'],
  boolean: ['type', 'title', 'description', 'default'],
  choice: ['type', 'title', 'description', 'enum', 'oneOf', 'default'],
  choices: ['type', 'title', 'description', 'items', 'minItems', 'maxItems', 'default'],
};

const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/** @throws InvalidFormException when the form asks for nothing or a property is wrong */
export function checkForm(schema: RequestedSchema): void {
  checkNotEmpty(schema);
  for (const [name, property] of Object.entries(schema.properties)) {
    checkFormProperty(name, property);
  }
}

/** @throws InvalidFormException when the form asks for nothing */
export function checkNotEmpty({ properties }: RequestedSchema): void {
  if (Object.keys(properties).length > 0) return;
  throw new InvalidFormException('', 'it has no properties', 'Ask for at least one');
}

/**
 * Refuses a property that no client could show or no answer could satisfy.
 * @throws InvalidFormException naming the property and the mend
 */
export function checkFormProperty(name: string, schema: PrimitiveSchema): void {
  const refuse = (fact: string, mend: string): never => {
    throw new InvalidFormException(name, fact, mend);
  };
  if (name === '' || name === '__proto__') refuse('it has no usable name', 'Give it a name');
  const stray = Object.keys(schema).find((keyword) => !KEYWORDS[kindOf(schema)].includes(keyword));
  if (stray !== undefined) refuse(`"${stray}" does not apply to it`, 'Leave the option out');
  const choices = fieldChoices(schema);
  if (choices?.length === 0) refuse('it offers no choices', 'Give at least one value');
  if (choices !== undefined && new Set(choices).size < choices.length) {
    refuse('it offers a value twice', 'Give each value once');
  }
  switch (schema.type) {
    case 'string':
      if ('format' in schema && !FORMATS.includes(schema.format)) {
        refuse(
          `the format "${schema.format}" is none that clients know`,
          'Use email, uri, date or date-time, or none',
        );
      }
      if (!('enum' in schema) && !('oneOf' in schema)) {
        checkCounts(schema.minLength, schema.maxLength, 'minLength', 'maxLength', refuse);
      }
      break;
    case 'integer':
    case 'number':
      checkOrder(schema.minimum, schema.maximum, 'minimum', 'maximum', refuse);
      if (
        schema.type === 'integer' &&
        Math.ceil(schema.minimum ?? -Infinity) > Math.floor(schema.maximum ?? Infinity)
      ) {
        refuse('there is no whole number between its bounds', 'Widen minimum and maximum');
      }
      break;
    case 'array':
      checkCounts(schema.minItems, schema.maxItems, 'minItems', 'maxItems', refuse);
      if ((schema.minItems ?? 0) > (choices as readonly string[]).length) {
        refuse('minItems is more than it has choices', 'Lower minItems');
      }
      break;
    case 'boolean':
      break;
  }
  if (schema.default !== undefined) {
    const problem = fieldProblem(schema, schema.default);
    if (problem !== undefined) refuse(`its default ${problem}`, 'Change the default');
  }
}

function kindOf(schema: PrimitiveSchema): keyof typeof KEYWORDS {
  switch (schema.type) {
    case 'string':
      return 'enum' in schema || 'oneOf' in schema ? 'choice' : 'text';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'choices';
  }
}

type Refuse = (fact: string, mend: string) => never;

function checkCounts(
  least: number | undefined,
  most: number | undefined,
  leastName: string,
  mostName: string,
  refuse: Refuse,
): void {
  for (const [name, bound] of [
    [leastName, least],
    [mostName, most],
  ] as const) {
    if (bound !== undefined && (!Number.isSafeInteger(bound) || bound < 0)) {
      refuse(`${name} is not a count`, `Make ${name} an integer of 0 or more`);
    }
  }
  checkOrder(least, most, leastName, mostName, refuse);
}

function checkOrder(
  least: number | undefined,
  most: number | undefined,
  leastName: string,
  mostName: string,
  refuse: Refuse,
): void {
  for (const bound of [least, most]) {
    // JSON has no infinity, and would send null for it.
    if (bound !== undefined && !Number.isFinite(bound)) {
      refuse(`${leastName} or ${mostName} is not a number`, 'Make both numbers');
    }
  }
  if (least !== undefined && most !== undefined && least > most) {
    refuse(`${leastName} is above ${mostName}`, `Lower ${leastName} or raise ${mostName}`);
  }
}
