import type { JsonSchema } from './json-schema.js';

/** Deeper references lead in a circle. */
const MAX_DEPTH = 8;

/**
 * The values a property can have, as text and in order, where its schema names them: `enum`, `const`,
 * alternatives of those, and `true` and `false` of a boolean. Empty when it names none.
 * @param root the schema that `#/…` refers to
 */
export function enumeratedValues(property: JsonSchema, root: JsonSchema): readonly string[] {
  const values = valuesOf(property, root, 0)
    .filter((value) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(String);
  return [...new Set(values)];
}

function valuesOf(schema: unknown, root: JsonSchema, depth: number): readonly unknown[] {
  if (!isSchema(schema) || depth > MAX_DEPTH) return [];
  const { $ref, enum: values, const: constant, anyOf, oneOf, allOf } = schema;
  if (Array.isArray(values)) return values;
  if (constant !== undefined) return [constant];
  if (typeof $ref === 'string') return valuesOf(resolve($ref, root), root, depth + 1);
  const alternatives = [anyOf, oneOf, isOnly(allOf) ? allOf : []].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  if (alternatives.length > 0) {
    return alternatives.flatMap((alternative) => valuesOf(alternative, root, depth + 1));
  }
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  return types.length === 1 && types[0] === 'boolean' ? [true, false] : [];
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/** Of several, each narrows what the others name. */
function isOnly(list: unknown): boolean {
  return Array.isArray(list) && list.length === 1;
}

/** What a pointer within the document leads to. */
function resolve(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (schema, step) =>
        isSchema(schema) && Object.hasOwn(schema, step) ? schema[step] : undefined,
      root,
    );
}
