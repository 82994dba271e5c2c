import { isJsonObject } from '../protocol/index.js';

/** A schema within a schema. */
export interface Subschema {
  readonly keyword: string;
  /** Under keywords whose members the author names. */
  readonly name?: string;
  readonly schema: Record<string, unknown>;
}

/** Keywords that hold data, where the name of a keyword means nothing. */
const DATA: ReadonlySet<string> = new Set([
  'const',
  'default',
  'dependentRequired',
  'enum',
  'examples',
]);

/** Keywords whose members are named by the author. */
const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Whether a keyword's value is an object of schemas, by names of the author's. */
export function isSchemaMap(keyword: string): boolean {
  return MAPS.has(keyword);
}

/**
 * The schemas that stand directly in a schema. What an unknown keyword holds counts too: a `$ref` may
 * lead there.
 */
export function* subschemasOf(node: Record<string, unknown>): Generator<Subschema> {
  for (const [keyword, value] of Object.entries(node)) {
    if (DATA.has(keyword)) continue;
    if (MAPS.has(keyword) && isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        for (const schema of objectsIn(member)) yield { keyword, name, schema };
      }
    } else {
      for (const schema of objectsIn(value)) yield { keyword, schema };
    }
  }
}

/** An object, or the objects of a list. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  for (const item of Array.isArray(value) ? (value as unknown[]).flat() : [value]) {
    if (isJsonObject(item)) yield item;
  }
}
