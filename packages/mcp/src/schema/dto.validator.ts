import type { Type } from '@nestjs/common';
import { validate, type ValidationError } from 'class-validator';
import type { ArgumentProblem } from '../exceptions/index.js';
import type { SchemaResult } from './compiled-schema.js';
import { dtoInstance } from './dto-transformer.js';

/** Makes an instance of a DTO from plain data and runs its class-validator decorators. */
export async function validateDto(dto: Type<object>, plain: object): Promise<SchemaResult> {
  const instance = dtoInstance(dto, plain);
  const errors = await validate(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    validationError: { target: false, value: false },
  });
  return errors.length === 0
    ? { ok: true, value: instance }
    : { ok: false, problems: errors.flatMap((error) => toProblems(error, '')) };
}

/** The constraint of properties that the class does not have. */
const UNKNOWN = 'whitelistValidation';

/** class-validator opens its sentences with the property, which the path already names. */
function withoutSubject(message: string, property: string): string {
  return message.startsWith(`${property} `) ? message.slice(property.length + 1) : message;
}

function toProblems(error: ValidationError, parent: string): ArgumentProblem[] {
  const path = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => ({
    path,
    message: constraint === UNKNOWN ? 'is not known here' : withoutSubject(message, error.property),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => toProblems(child, path))];
}
