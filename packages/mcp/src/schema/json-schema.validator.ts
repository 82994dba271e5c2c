import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { ArgumentProblem } from '../exceptions/index.js';
import type { SchemaResult } from './compiled-schema.js';
import type { JsonSchema } from './json-schema.js';

// Unknown keywords (x-mcp-header and the like) are annotations. One error is enough: collecting all
// of them would let one large array cost gigabytes.
const OPTIONS = { strict: false, allErrors: false, logger: false, addUsedSchema: false } as const;

const draft2020 = new Ajv2020(OPTIONS);
const draft07 = new Ajv(OPTIONS);
ajvFormats.default(draft2020);
ajvFormats.default(draft07);

/**
 * Compiles a JSON Schema. References are never fetched: one that points outside the schema fails.
 * @throws Error when the schema is invalid or of an unknown dialect
 */
export function compileJsonSchema(schema: JsonSchema): (value: unknown) => SchemaResult {
  const check: ValidateFunction = compilerFor(schema.$schema).compile(schema);
  return (value) =>
    check(value)
      ? { ok: true, value }
      : { ok: false, problems: (check.errors ?? []).map(toProblem) };
}

function compilerFor(dialect: string | undefined): Ajv {
  if (dialect === undefined || dialect.includes('/2020-12/')) return draft2020;
  if (dialect.includes('draft-07')) return draft07;
  throw new Error(`the dialect ${dialect} is not supported; use 2020-12 or draft-07`);
}

function toProblem(error: ErrorObject): ArgumentProblem {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer).join('.');
  return { path, message: describe(error) };
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function describe(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `must not have the property ${JSON.stringify(params['additionalProperty'] ?? params['unevaluatedProperty'])}`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return error.message ?? 'is invalid';
  }
}
