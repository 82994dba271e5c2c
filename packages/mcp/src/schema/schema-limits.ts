/** How deep the JSON of a schema may be nested. */
export const MAX_SCHEMA_DEPTH = 64;

/** How many objects and lists a schema may consist of; the compiler's stack holds not many more. */
export const MAX_SCHEMA_NODES = 1_000;

/**
 * Refuses a schema that could exhaust the compiler or the validator, and one that contains itself.
 * @throws Error
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#composition-keyword-resource-use
 */
export function checkSchemaLimits(schema: object): void {
  let nodes = 0;
  const visit = (node: object, depth: number): void => {
    nodes += 1;
    if (depth > MAX_SCHEMA_DEPTH) {
      throw new Error(`it is nested more than ${MAX_SCHEMA_DEPTH} levels deep`);
    }
    if (nodes > MAX_SCHEMA_NODES) {
      throw new Error(`it consists of more than ${MAX_SCHEMA_NODES} objects and lists`);
    }
    for (const member of Object.values(node)) {
      if (typeof member === 'object' && member !== null) visit(member as object, depth + 1);
    }
  };
  visit(schema, 1);
}
