import type { JsonSchema } from './json-schema.js';
import { subschemasOf } from './subschemas.js';

/** The keyword of an argument that clients mirror in a header. */
export const HEADER_KEYWORD = 'x-mcp-header';

export type HeaderParamType = 'string' | 'integer' | 'boolean';

/** An argument that clients mirror in a header. */
export interface HeaderParam {
  /** The whole name: `Mcp-Param-Region`. */
  readonly header: string;
  /** From the arguments down to the value. */
  readonly path: readonly string[];
  readonly type: HeaderParamType;
}

/** `token` of RFC 9110: `1*tchar`. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'] satisfies HeaderParamType[];

/**
 * The arguments of an input schema that clients mirror in headers.
 * @throws Error when the schema breaks what the protocol demands of `x-mcp-header`: clients would
 * leave the tool out of their lists
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function headerParams(schema: JsonSchema): readonly HeaderParam[] {
  const found = new Map<string, HeaderParam>();
  visit(schema, [], true, found);
  return [...found.values()];
}

/** Whether any argument is to be mirrored in a header, rightly or not. */
export function hasHeaders(node: Record<string, unknown>): boolean {
  if (Object.hasOwn(node, HEADER_KEYWORD)) return true;
  return [...subschemasOf(node)].some(({ schema }) => hasHeaders(schema));
}

/** @param reachable whether only `properties` lead here from the root */
function visit(
  node: Record<string, unknown>,
  path: readonly string[],
  reachable: boolean,
  found: Map<string, HeaderParam>,
): void {
  if (Object.hasOwn(node, HEADER_KEYWORD)) {
    const param = read(node, path, reachable);
    const key = param.header.toLowerCase();
    const other = found.get(key);
    if (other !== undefined) {
      throw new Error(
        `${nameOf(path)} and ${nameOf(other.path)} share the header ${param.header}; case does not tell headers apart`,
      );
    }
    found.set(key, param);
  }
  for (const { keyword, name, schema } of subschemasOf(node)) {
    const isStep = keyword === 'properties' && name !== undefined;
    visit(schema, isStep ? [...path, name] : path, reachable && isStep, found);
  }
}

function read(
  node: Record<string, unknown>,
  path: readonly string[],
  reachable: boolean,
): HeaderParam {
  const name = node[HEADER_KEYWORD];
  if (!reachable || path.length === 0) {
    throw new Error(
      `${HEADER_KEYWORD} ${JSON.stringify(name)} stands where no header can be read from: only properties of the arguments, and of objects in them, may lead to it; no list, $ref, oneOf, if and the like`,
    );
  }
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    throw new Error(
      `the ${HEADER_KEYWORD} of ${nameOf(path)} is ${JSON.stringify(name)}, which is no name of a header; use letters, digits and "-"`,
    );
  }
  const { type } = node;
  if (!TYPES.includes(type)) {
    const given = type === undefined ? 'missing' : JSON.stringify(type);
    throw new Error(
      `${nameOf(path)} cannot travel in a header: its "type" is ${given}, and only "string", "integer" and "boolean" can`,
    );
  }
  return { header: `Mcp-Param-${name}`, path, type: type as HeaderParamType };
}

function nameOf(path: readonly string[]): string {
  return path.join('.');
}
