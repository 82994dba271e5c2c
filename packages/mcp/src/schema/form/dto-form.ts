import type { Type } from '@nestjs/common';
import { InvalidFormException } from '../../exceptions/index.js';
import type { PrimitiveSchema, RequestedSchema } from '../../protocol/index.js';
import { describeDto } from '../dto-json-schema.js';
import type { DtoSchema } from '../dto-schema.js';
import { checkForm } from './form-rules.js';

/** What a form keeps of a property's schema; decorators check the rest on the server. */
const KEPT = [
  'title',
  'description',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'default',
] as const;

const FORMATS = ['email', 'uri', 'date', 'date-time'];

/**
 * The form of a flat DTO class.
 * @throws InvalidFormException naming the first property that is not a primitive or a list of choices
 */
export function dtoForm(dto: Type<object>): RequestedSchema {
  const schema = describeDto(dto);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, property]) => [name, toPrimitive(name, property)] as const,
  );
  const form: RequestedSchema = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(schema.required !== undefined && { required: schema.required }),
  };
  checkForm(form);
  return form;
}

function toPrimitive(name: string, schema: DtoSchema): PrimitiveSchema {
  const kept = Object.fromEntries(
    KEPT.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [
      keyword,
      schema[keyword],
    ]),
  );
  if (isTexts(schema.enum)) return { type: 'string', enum: schema.enum, ...kept };
  switch (schema.type) {
    case 'string': {
      const known = schema.format !== undefined && FORMATS.includes(schema.format);
      return {
        type: 'string',
        ...(known && { format: schema.format }),
        ...kept,
      } as PrimitiveSchema;
    }
    case 'integer':
    case 'number':
    case 'boolean':
      if (schema.enum === undefined) return { type: schema.type, ...kept };
      break;
    case 'array':
      if (isTexts(schema.items?.enum)) {
        return { type: 'array', items: { type: 'string', enum: schema.items.enum }, ...kept };
      }
      break;
    default:
      break;
  }
  throw new InvalidFormException(
    name,
    'a form is flat, and this is neither a string, a number, a boolean nor a list of given choices',
    'Ask for its parts one by one, or give @IsIn([...], { each: true }) for a list',
  );
}

function isTexts(values: unknown): values is string[] {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}
