import type { Type } from '@nestjs/common';
import type { ArgumentProblem } from '../exceptions/index.js';
import type { CompiledSchema, SchemaResult, SchemaSide, SchemaSource } from './compiled-schema.js';
import { isJsonObject } from '../protocol/index.js';
import { shapeOf } from './dto-shape.js';
import { dtoPlain } from './dto-transformer.js';
import { validateDto } from './dto.validator.js';
import { dtoJsonSchema } from './dto-json-schema.js';
import type { JsonSchema } from './json-schema.js';
import { checkJsonSchema, compileJsonSchema } from './json-schema.validator.js';
import { checkSchemaLimits } from './schema-limits.js';
import { isStandardSchema, type StandardIssue, type StandardSchema } from './standard-schema.js';

/**
 * Compiles whatever `input` or `output` was given.
 * @throws Error whose message says what is wrong with the schema
 */
export function compileSchema(source: SchemaSource, side: SchemaSide): CompiledSchema {
  if (typeof source !== 'function' && !isJsonObject(source)) {
    throw new Error('it is neither a class, a Standard Schema nor a JSON Schema object');
  }
  if (isStandardSchema(source)) return compileStandard(source, side);
  if (typeof source === 'function') return compileDto(source, side);
  return { json: source, validate: compileJsonSchema(source) };
}

/** The schema of a handler that takes no arguments. */
export function emptySchema(): CompiledSchema {
  const json: JsonSchema = { type: 'object', additionalProperties: false };
  return { json, validate: compileJsonSchema(json) };
}

/**
 * A DTO's decorators decide over values; its JSON Schema tells clients of them, and cannot say all
 * they do. Of the schema only the shape is enforced, which decorators do not see, and before anything
 * is made of the value. Arguments become an instance; a result becomes plain data again, under the
 * names that clients are shown.
 */
function compileDto(dto: Type<object>, side: SchemaSide): CompiledSchema {
  const json = dtoJsonSchema(dto);
  checkJsonSchema(json);
  let checkShape: ReturnType<typeof compileJsonSchema> | undefined;
  return {
    json,
    async validate(value) {
      // Made of what was checked; an application with a thousand DTOs need not wait for all of them.
      checkShape ??= compileJsonSchema(shapeOf(json));
      const shape = checkShape(value);
      const result = shape.ok ? await validateDto(dto, value as object) : shape;
      return result.ok && side === 'output'
        ? { ok: true, value: dtoPlain(result.value as object) }
        : result;
    },
  };
}

function compileStandard(schema: StandardSchema, side: SchemaSide): CompiledSchema {
  const standard = schema['~standard'];
  if (standard.jsonSchema === undefined) {
    throw new Error(
      `this version of ${standard.vendor} cannot describe its schemas as JSON Schema (Standard JSON Schema)`,
    );
  }
  const json = standard.jsonSchema[side]({ target: 'draft-2020-12' }) as JsonSchema;
  checkSchemaLimits(json);
  return {
    json,
    validate(value) {
      const result = standard.validate(value);
      return 'then' in result ? Promise.resolve(result).then(toResult) : toResult(result);
    },
  };
}

function toResult(
  result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>,
): SchemaResult {
  return result.issues === undefined
    ? { ok: true, value: result.value }
    : { ok: false, problems: result.issues.map(toProblem) };
}

function toProblem({ message, path }: StandardIssue): ArgumentProblem {
  const segments = (path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  );
  return { path: segments.join('.'), message };
}
