import type { ErrorObject, ValidateFunction } from 'ajv';
import { type ArgumentProblem, InvalidParamsException } from '../exceptions/index.js';
import { checkSchema, newCompiler } from './ajv-instances.js';
import type { SchemaResult } from './compiled-schema.js';
import type { JsonSchema } from './json-schema.js';
import { type Dialect, withPlainReferences } from './plain-references.js';
import { checkSchemaLimits } from './schema-limits.js';

/**
 * Compiles a JSON Schema. References are never fetched: one that points outside the schema fails.
 * @throws Error when the schema is invalid, too large or of an unknown dialect
 */
export function compileJsonSchema(schema: JsonSchema): (value: unknown) => SchemaResult {
  const check = compile(checkJsonSchema(schema));
  return (value) =>
    isValid(check, value)
      ? { ok: true, value }
      : { ok: false, problems: telling(check.errors ?? []).map(toProblem) };
}

/** A schema that can be compiled. */
interface CheckedSchema {
  readonly schema: JsonSchema;
  readonly dialect: Dialect;
}

/**
 * Everything that can be wrong with a schema is known here: compiling costs ten times as much.
 * @throws Error when the schema is invalid, too large or of an unknown dialect
 */
export function checkJsonSchema(schema: JsonSchema): CheckedSchema {
  checkSchemaLimits(schema);
  if (schema['$async'] !== undefined) throw new Error('"$async" is not part of JSON Schema');
  if (JSON.stringify(schema).includes('"__proto__"')) {
    throw new Error('it has a property "__proto__", which cannot be checked');
  }
  const dialect = dialectOf(schema.$schema);
  checkSchema(schema, dialect);
  const plain = withPlainReferences(schema, dialect);
  // What is compiled may hold what was not a schema before: where a reference leads.
  if (plain.$defs !== undefined) checkSchema(plain, dialect);
  return { schema: plain, dialect };
}

function compile({ schema, dialect }: CheckedSchema): ValidateFunction {
  return newCompiler(schema, dialect).compile(schema);
}

/** Data may be nested deeper than a recursive schema can follow. */
function isValid(check: ValidateFunction, value: unknown): boolean {
  try {
    return check(value);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof InvalidParamsException)) throw error;
    check.errors = [TOO_DEEP];
    return false;
  }
}

/** Without the error that only sums up the ones before it. */
function telling(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  return errors.length > 1 ? errors.filter(({ keyword }) => keyword !== 'if') : errors;
}

const TOO_DEEP: ErrorObject = {
  keyword: 'depth',
  instancePath: '',
  schemaPath: '',
  params: {},
  message: 'is nested too deep',
};

function dialectOf(uri: string | undefined): Dialect {
  switch (uri?.replace(/#$/, '')) {
    case undefined:
    case 'https://json-schema.org/draft/2020-12/schema':
      return '2020-12';
    case 'http://json-schema.org/draft-07/schema':
    case 'https://json-schema.org/draft-07/schema':
      return 'draft-07';
  }
  throw new Error(`the dialect ${uri} is not supported; use 2020-12 or draft-07`);
}

function toProblem(error: ErrorObject): ArgumentProblem {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const params = error.params as Record<string, unknown>;
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  return typeof unknown === 'string'
    ? { path: [...path, unknown].join('.'), message: 'is not known here' }
    : { path: path.join('.'), message: describe(error) };
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function describe(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return error.message ?? 'is invalid';
  }
}
