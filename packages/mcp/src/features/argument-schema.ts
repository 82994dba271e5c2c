import type { Type } from '@nestjs/common';
import { McpParamtype } from '../decorators/index.js';
import type { HandlerHost } from '../discovery/index.js';
import { HandlerDefinitionException, InvalidArgumentsException } from '../exceptions/index.js';
import {
  type CompiledSchema,
  compileSchema,
  hasHeaders,
  isDto,
  type JsonSchema,
  propertyOf,
  type SchemaSide,
  type SchemaSource,
} from '../schema/index.js';

/** What text is, or is turned into; interfaces, unions and what TypeScript does not tell are text. */
const CARRIED: readonly unknown[] = [String, Number, Boolean, Object, undefined];

/** @throws HandlerDefinitionException with the schema's own complaint */
export function compileHandlerSchema(
  host: HandlerHost,
  source: SchemaSource,
  side: SchemaSide,
): CompiledSchema {
  try {
    return compileSchema(source, side);
  } catch (error) {
    throw definitionError(
      host,
      `its ${side} schema cannot be used: ${(error as Error).message}`,
      'Give a class-validator DTO, a Standard Schema or a valid JSON Schema',
    );
  }
}

/**
 * The schema of named arguments.
 * @throws HandlerDefinitionException when it does not describe an object
 */
export function compileInput(host: HandlerHost, source: SchemaSource): CompiledSchema {
  const input = compileHandlerSchema(host, source, 'input');
  if (input.json.type === 'object') return input;
  throw definitionError(
    host,
    'its input schema does not describe an object',
    'Give the schema "type": "object": arguments have names',
  );
}

/**
 * The class of the `@McpArgs()` parameter, when it is a DTO.
 * @throws HandlerDefinitionException for two such parameters of different classes
 */
export function argsDto(host: HandlerHost): Type<object> | undefined {
  const [dto, other] = new Set(
    host.params
      .filter(({ paramtype, type }) => paramtype === McpParamtype.Args && isDto(type))
      .map(({ type }) => type as Type<object>),
  );
  if (other === undefined) return dto;
  throw definitionError(
    host,
    `@McpArgs() is typed ${dto?.name} and ${other.name}, and arguments are validated by one class`,
    'Leave one of them out, or make one class of both',
  );
}

/**
 * What a handler accepts: its `input`, or the DTO of its `@McpArgs()` parameter.
 * @throws HandlerDefinitionException for both, when the decorators of the DTO would not run
 */
export function declaredInput(
  host: HandlerHost,
  input: SchemaSource | undefined,
): SchemaSource | undefined {
  const dto = argsDto(host);
  if (input === undefined || dto === undefined || isKindOf(input, dto)) return input ?? dto;
  throw definitionError(
    host,
    `it has an input, and @McpArgs() is typed ${dto.name}, whose decorators would never run`,
    'Leave out the input, or type the parameter as an interface',
  );
}

/** A class that extends a DTO inherits its decorators. */
function isKindOf(input: SchemaSource, dto: Type<object>): boolean {
  return input === dto || (typeof input === 'function' && input.prototype instanceof dto);
}

/** True when the handler wants all its arguments at once. */
export function hasArgs(host: HandlerHost): boolean {
  return host.params.some((param) => param.paramtype === McpParamtype.Args);
}

/**
 * A schema with one property for each `@McpArg()`, typed as the parameter is.
 * @throws HandlerDefinitionException for a type that would get text all the same
 */
export function schemaOfParams(host: HandlerHost): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { paramtype, name, options, type, piped } of host.params) {
    if (paramtype !== McpParamtype.Arg || name === undefined) continue;
    if (!piped && !CARRIED.includes(type)) {
      throw definitionError(
        host,
        `@McpArg(${JSON.stringify(name)}) is typed ${(type as { name: string }).name}, and arrives as text`,
        'Type it string, number or boolean, or add a pipe that converts it',
      );
    }
    properties[name] = {
      type: jsonTypeOf(type),
      ...(options.title !== undefined && { title: options.title }),
      ...(options.description !== undefined && { description: options.description }),
    };
    if (options.required !== false) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** @throws HandlerDefinitionException for an `@McpArg()` that the schema does not have */
export function checkArgNames(host: HandlerHost, schema: JsonSchema, where: string): void {
  for (const { paramtype, name } of host.params) {
    if (paramtype !== McpParamtype.Arg || name === undefined) continue;
    if (schema.properties === undefined || !Object.hasOwn(schema.properties, name)) {
      throw definitionError(
        host,
        `@McpArg(${JSON.stringify(name)}) names nothing in ${where}`,
        `Add it to ${where}, or correct the name`,
      );
    }
  }
}

/** @throws HandlerDefinitionException for an argument in a header, which clients mirror for tools only */
export function refuseHeaders(host: HandlerHost, schema: JsonSchema): void {
  if (!hasHeaders(schema)) return;
  throw definitionError(
    host,
    'its arguments have @McpHeader() or "x-mcp-header", and clients mirror arguments of tools only',
    'Leave it out, or give the tool a class of its own',
  );
}

/** Holds arguments against a schema; resolves with the converted ones. */
export function prepareArguments(
  name: string,
  schema: CompiledSchema,
  args: Record<string, unknown>,
): unknown {
  const result = schema.validate(args);
  return result instanceof Promise
    ? result.then((late) => accepted(name, late))
    : accepted(name, result);
}

function accepted(name: string, result: Awaited<ReturnType<CompiledSchema['validate']>>): unknown {
  if (!result.ok) throw new InvalidArgumentsException(name, result.problems);
  return result.value;
}

/** Turns strings into the numbers and booleans the schema wants; prompts and uris carry text only. */
export function convertStrings(
  schema: JsonSchema,
  args: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? convert(propertyOf(schema, name), value) : value,
    ]),
  );
}

function convert(schema: JsonSchema | undefined, text: string): unknown {
  const types = typesOf(schema);
  if (types.has('number') && text.trim() !== '') {
    const number = Number(text);
    // A whole number beyond what a double holds would come out as another one.
    if (Number.isFinite(number) && !isInexact(number)) return number;
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function isInexact(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

/** What kinds of value a property takes, as far as its schema says at its top; text wins. */
function typesOf(schema: JsonSchema | undefined): ReadonlySet<string> {
  if (schema === undefined) return new Set();
  const alternatives = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as JsonSchema[]) : [],
  );
  const types = new Set([
    ...[schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type)),
    ...(schema.enum ?? []).map((value) => typeof value),
    ...alternatives.flatMap((alternative) => [...typesOf(alternative)]),
  ]);
  return types.has('string') ? new Set() : types;
}

function jsonTypeOf(type: unknown): string {
  if (type === Number) return 'number';
  return type === Boolean ? 'boolean' : 'string';
}

export function definitionError(
  host: HandlerHost,
  fact: string,
  mend: string,
): HandlerDefinitionException {
  return new HandlerDefinitionException(host.classRef.name, host.methodName, fact, mend);
}
