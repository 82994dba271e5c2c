import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import type { JsonSchema } from './json-schema.js';

const DEFS = '#/$defs/';

const OPTIONS = {
  refPointerPrefix: DEFS,
  classTransformerMetadataStorage: defaultMetadataStorage,
  additionalConverters: {
    // The library lists the names of a numeric enum beside its values.
    isEnum: ({ constraints }: { constraints: unknown[] }) => ({
      enum: enumValues(constraints[0] as Record<string, unknown>),
    }),
    isUrl: () => ({ type: 'string' as const, format: 'uri' }),
  },
} as unknown as Parameters<typeof targetConstructorToSchema>[1];

/**
 * The JSON Schema of a class-validator DTO, with nested DTOs under `$defs`. Unknown properties are
 * not accepted. A property with an initial value is optional and shows it as its default.
 * @throws Error when the class has no class-validator decorators, or two nested classes share a name
 */
export function dtoJsonSchema(dto: Type<object>): JsonSchema {
  const defs = new Map<string, Type<object>>();
  const root = describe(dto, defs);
  const schemas: Record<string, JsonSchema> = {};
  // `defs` grows while nested classes are described; a Map's iteration follows.
  for (const [name, nested] of defs) schemas[name] = describe(nested, defs);
  return Object.keys(schemas).length === 0 ? root : { ...root, $defs: schemas };
}

function describe(dto: Type<object>, defs: Map<string, Type<object>>): JsonSchema {
  if (!isDto(dto)) {
    throw new Error(`the class ${dto.name} has no class-validator decorators`);
  }
  const schema = structuredClone(targetConstructorToSchema(dto, OPTIONS)) as JsonSchema;
  const initial = initialValues(dto);
  const required = (schema.required ?? []).filter((name) => initial[name] === undefined);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (initial[name] !== undefined) property.default = initial[name];
    collect(dto, name, property, defs);
  }
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

function collect(
  dto: Type<object>,
  property: string,
  schema: JsonSchema,
  defs: Map<string, Type<object>>,
): void {
  const reference = schema.$ref ?? schema.items?.$ref;
  if (reference === undefined) return;
  const type = defaultMetadataStorage.findTypeMetadata(dto, property);
  const nested = (type?.typeFunction?.() ??
    Reflect.getMetadata('design:type', dto.prototype as object, property)) as Type<object>;
  const name = reference.slice(DEFS.length);
  const known = defs.get(name);
  if (known !== undefined && known !== nested) {
    throw new Error(`two nested classes are called ${name}; rename one`);
  }
  defs.set(name, nested);
}

/** Primitive values a new instance starts with. */
function initialValues(dto: Type<object>): Record<string, unknown> {
  let instance: object;
  try {
    instance = new dto();
  } catch {
    return {};
  }
  return Object.fromEntries(
    Object.entries(instance).filter(([, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value),
    ),
  );
}

function enumValues(source: Record<string, unknown>): unknown[] {
  return Object.entries(source)
    .filter(
      ([name]) => typeof source[String(source[name])] !== 'number' || Number.isNaN(Number(name)),
    )
    .map(([, value]) => value);
}
