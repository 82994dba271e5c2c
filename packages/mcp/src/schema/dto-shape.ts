import type { DtoSchema } from './dto-schema.js';
import type { JsonSchema } from './json-schema.js';

const CONTAINERS: readonly unknown[] = ['object', 'array'];

/**
 * The part of a DTO's schema that class-validator does not check: which properties there must be and
 * may be, and where an object or a list belongs. Values are the decorators' business. A property that
 * may be left out may be `null` too, as `@IsOptional()` has it.
 */
export function shapeOf(schema: DtoSchema): JsonSchema {
  const { type, properties, required, items, additionalProperties, $ref, $defs } = schema;
  return {
    ...(CONTAINERS.includes(type) && { type }),
    ...($ref !== undefined && { $ref }),
    ...(properties !== undefined && {
      properties: mapValues(properties, (property, name) =>
        required?.includes(name) === true
          ? shapeOf(property)
          : { if: { not: { type: 'null' } }, then: shapeOf(property) },
      ),
    }),
    ...(required !== undefined && { required }),
    ...(items !== undefined && { items: shapeOf(items) }),
    ...(additionalProperties !== undefined && { additionalProperties }),
    ...($defs !== undefined && { $defs: mapValues($defs, shapeOf) }),
  };
}

function mapValues(
  record: Record<string, DtoSchema>,
  map: (schema: DtoSchema, name: string) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, map(value, name)]),
  );
}
