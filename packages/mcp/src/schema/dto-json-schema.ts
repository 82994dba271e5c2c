import type { Type } from '@nestjs/common';
import { Type as NamedType } from 'class-transformer';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { DTO_CONVERTERS } from './dto-converters.js';
import type { JsonSchema } from './json-schema.js';

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
 * The schema is what clients are shown; the decorators decide (see `validateDto()`).
 * @throws Error when a class has no class-validator decorators, a nested class is not named, or two
 * nested classes share a name
 */
export function dtoJsonSchema(dto: Type<object>): JsonSchema {
  const defs = new Map<string, Type<object>>();
  const root = describeDto(dto);
  collectNested(dto, root, defs);
  const schemas: Record<string, JsonSchema> = {};
  // `defs` grows while nested classes are described; a Map's iteration follows.
  for (const [name, nested] of defs) {
    const schema = describeDto(nested);
    collectNested(nested, schema, defs);
    schemas[name] = schema;
  }
  return Object.keys(schemas).length === 0 ? root : { ...root, $defs: schemas };
}

/**
 * The schema of one class; nested ones stay references.
 * @throws Error when the class has no class-validator decorators
 */
export function describeDto(dto: Type<object>): JsonSchema {
  if (!isDto(dto)) {
    throw new Error(`the class ${dto.name} has no class-validator decorators`);
  }
  const schema = structuredClone(targetConstructorToSchema(dto, OPTIONS)) as JsonSchema;
  const initial = initialValues(dto);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (initial.has(name)) property.default = initial.get(name);
  }
  for (const name of integers(dto)) {
    const property = schema.properties?.[name];
    if (property?.type === 'number') property.type = 'integer';
  }
  const required = (schema.required ?? []).filter((name) => !initial.has(name));
  const { required: _replaced, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** True for a class that class-validator knows. */
export function isDto(source: unknown): boolean {
  return (
    typeof source === 'function' &&
    getMetadataStorage().getTargetValidationMetadatas(source, '', false, false).length > 0
  );
}

function collectNested(
  dto: Type<object>,
  { properties = {} }: JsonSchema,
  defs: Map<string, Type<object>>,
): void {
  for (const [property, schema] of Object.entries(properties)) {
    const reference = schema.$ref ?? schema.items?.$ref;
    if (reference === undefined) continue;
    const nested = nestedClass(dto, property, schema);
    const name = reference.slice(DEFS.length);
    const known = defs.get(name);
    if (known !== undefined && known !== nested) {
      throw new Error(`two nested classes are called ${name}; rename one`);
    }
    defs.set(name, nested);
  }
}

function nestedClass(dto: Type<object>, property: string, schema: JsonSchema): Type<object> {
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
  return getMetadataStorage()
    .getTargetValidationMetadatas(dto, '', false, false)
    .filter(({ name, each }) => name === 'isInt' && !each)
    .map(({ propertyName }) => propertyName);
}
