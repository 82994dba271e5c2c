import type { Type } from '@nestjs/common';
import { Type as NamedType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, type MetadataStorage } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { MCP_HEADERS_METADATA } from '../mcp.constants.js';
import { DTO_CONVERTERS } from './dto-converters.js';
import { HEADER_KEYWORD } from './header-params.js';
import type { DtoSchema } from './dto-schema.js';

const DEFS = '#/$defs/';

const OPTIONS = {
  refPointerPrefix: DEFS,
  classTransformerMetadataStorage: defaultMetadataStorage,
  additionalConverters: DTO_CONVERTERS,
} as unknown as Parameters<typeof targetConstructorToSchema>[1];

/**
 * The JSON Schema of a class-validator DTO, with nested DTOs under `$defs`. Unknown properties are
 * not accepted. A property with an initial value is optional and shows it as its default.
 *
 * A nested DTO with a header stands where it is used: clients look for headers in properties only,
 * and follow no reference.
 *
 * The schema is what clients are shown; the decorators decide (see `validateDto()`).
 * @throws Error when a class has no class-validator decorators, a nested class is not named, or two
 * nested classes share a name
 */
export function dtoJsonSchema(dto: Type<object>): DtoSchema {
  const defs = new Map<string, Type<object>>();
  const root = describeWithNested(dto, [dto], defs);
  const schemas: Record<string, DtoSchema> = {};
  // `defs` grows while nested classes are described; a Map's iteration follows.
  for (const [name, nested] of defs) {
    schemas[name] = describeWithNested(nested, [nested], defs);
  }
  return Object.keys(schemas).length === 0 ? root : { ...root, $defs: schemas };
}

/** @param within the classes that this one stands in, itself the last */
function describeWithNested(
  dto: Type<object>,
  within: readonly Type<object>[],
  defs: Map<string, Type<object>>,
): DtoSchema {
  const schema = describeDto(dto);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const nested = nestedOf(dto, name, property);
    if (nested === undefined) continue;
    if (property.$ref === undefined || within.includes(nested) || !hasHeader(nested, [])) {
      addDefinition(defs, nested, property);
      continue;
    }
    const { $ref: _replaced, ...own } = property;
    const inline = describeWithNested(nested, [...within, nested], defs);
    (schema.properties as Record<string, DtoSchema>)[name] = { ...inline, ...own };
  }
  return schema;
}

/** Whether a header stands in a class, or in one that it holds as an object. */
function hasHeader(dto: Type<object>, seen: readonly Type<object>[]): boolean {
  return Object.entries(describeDto(dto).properties ?? {}).some(([name, property]) => {
    if (property[HEADER_KEYWORD] !== undefined) return true;
    const nested = property.$ref === undefined ? undefined : nestedOf(dto, name, property);
    return nested !== undefined && !seen.includes(nested) && hasHeader(nested, [...seen, nested]);
  });
}

/**
 * The schema of one class; nested ones stay references.
 * @throws Error when the class has no class-validator decorators, a property that those cannot check, or
 * a header on what it does not know
 */
export function describeDto(dto: Type<object>): DtoSchema {
  if (!isDto(dto)) {
    throw new Error(`the class ${dto.name} has no class-validator decorators`);
  }
  checkNames(dto);
  const schema = structuredClone(targetConstructorToSchema(dto, OPTIONS)) as DtoSchema;
  const initial = initialValues(dto);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (initial.has(name)) property.default = initial.get(name);
  }
  for (const name of integers(dto)) {
    const property = schema.properties?.[name];
    if (property?.type === 'number') property.type = 'integer';
  }
  addHeaders(dto, schema.properties ?? {});
  const required = (schema.required ?? []).filter((name) => !initial.has(name));
  const { required: _replaced, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/**
 * Every object has something of such a name already, which class-validator and class-transformer take
 * for their own.
 * @throws Error for a property like `toString`
 */
function checkNames(dto: Type<object>): void {
  const name = rulesOf(dto)
    .map(({ propertyName }) => propertyName)
    .find((property) => property in Object.prototype);
  if (name !== undefined) {
    throw new Error(
      `${dto.name}.${name} is called like what every object inherits, and cannot be checked; rename it, or write the schema as JSON Schema`,
    );
  }
}

/** @throws Error for a header on what is no property of the schema */
function addHeaders(dto: Type<object>, properties: Record<string, DtoSchema>): void {
  const headers = Reflect.getMetadata(MCP_HEADERS_METADATA, dto.prototype as object) as
    ReadonlyMap<string, string> | undefined;
  for (const [name, header] of headers ?? []) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      throw new Error(
        `${dto.name}.${name} has @McpHeader() and no class-validator decorator; add one`,
      );
    }
    const type = property.type ?? typeOfValues(property.enum);
    properties[name] = {
      ...property,
      ...(type !== undefined && { type }),
      [HEADER_KEYWORD]: header,
    };
  }
}

/** Clients look for the type of what they mirror; `@IsEnum()` shows the values only. */
function typeOfValues(values: readonly unknown[] = []): string | undefined {
  const types = new Set(
    values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)),
  );
  return types.size === 1 ? [...types][0] : undefined;
}

/** True for a class that class-validator knows. */
export function isDto(source: unknown): boolean {
  return typeof source === 'function' && rulesOf(source as Type<object>).length > 0;
}

type Rules = ReturnType<MetadataStorage['getTargetValidationMetadatas']>;

/** By class: class-validator looks through all classes to find those that one extends. */
const knownRules = new WeakMap<Type<object>, Rules>();

/** What class-validator checks of a class, those that it extends included. */
function rulesOf(dto: Type<object>): Rules {
  const known = knownRules.get(dto);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  // A function that writes a form is another one for each question, and has none.
  if (rules.length > 0) knownRules.set(dto, rules);
  return rules;
}

/** The class that a property holds as an object or in a list. */
function nestedOf(
  dto: Type<object>,
  property: string,
  schema: DtoSchema,
): Type<object> | undefined {
  const reference = schema.$ref ?? schema.items?.$ref;
  return reference === undefined ? undefined : nestedClass(dto, property, schema);
}

function addDefinition(
  defs: Map<string, Type<object>>,
  nested: Type<object>,
  { $ref, items }: DtoSchema,
): void {
  const name = ($ref ?? items?.$ref ?? '').slice(DEFS.length);
  const known = defs.get(name);
  if (known !== undefined && known !== nested) {
    throw new Error(`two nested classes are called ${name}; rename one`);
  }
  defs.set(name, nested);
}

function nestedClass(dto: Type<object>, property: string, schema: DtoSchema): Type<object> {
  const named = defaultMetadataStorage.findTypeMetadata(dto, property)?.typeFunction?.();
  if (named !== undefined) return named as Type<object>;
  if (schema.$ref === undefined) {
    throw new Error(
      `nothing names the class of the items of ${dto.name}.${property}; add @Type(() => …) of class-transformer`,
    );
  }
  const declared = Reflect.getMetadata(
    'design:type',
    dto.prototype as object,
    property,
  ) as Type<object>;
  // TypeScript has told which class it is; class-transformer must know to make an instance of it.
  NamedType(() => declared)(dto.prototype as object, property);
  return declared;
}

/** Values a new instance starts with, as far as JSON can carry them. */
function initialValues(dto: Type<object>): ReadonlyMap<string, unknown> {
  let instance: object;
  try {
    instance = new dto();
  } catch {
    return new Map();
  }
  return new Map(Object.entries(instance).filter(([, value]) => isPlain(value)));
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => !Array.isArray(item) && isPlain(item));
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' || typeof value === 'boolean';
}

/** Properties that must be whole numbers: bounds would otherwise make plain numbers of them. */
function integers(dto: Type<object>): string[] {
  return rulesOf(dto)
    .filter(({ name, each }) => name === 'isInt' && !each)
    .map(({ propertyName }) => propertyName);
}
