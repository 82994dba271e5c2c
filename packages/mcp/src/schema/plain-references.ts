import { isJsonObject } from '../protocol/index.js';
import { ASSERTIONS } from './assertions.js';
import type { JsonSchema } from './json-schema.js';
import { isSchemaMap, subschemasOf } from './subschemas.js';

/** What `$schema` may say. */
export type Dialect = '2020-12' | 'draft-07';

/**
 * A schema whose references all lead from its root to its `$defs`. Neither identifiers nor anchors
 * matter in it, which the validator does not follow to the letter: it loses `#` and the schema's own
 * `$id`, and resolves only the simplest uses of `$dynamicRef`, accepting anything where it cannot. So
 * each schema that is referred to is written out once for every dynamic scope it can be reached in.
 *
 * 1. A resource is a schema with an `$id`, or the root. Entering one adds its `$dynamicAnchor`s to the
 *    scope, and whoever was entered first wins.
 * 2. A `$dynamicRef` that leads to no `$dynamicAnchor` is a `$ref`.
 * 3. What stands beside a `$ref` counts in 2020-12 and is ignored in draft-07.
 * 4. Of other keywords those are left that judge values. The rest are annotations, whatever the
 *    validator makes of them: to it `nullable` is one of OpenAPI, `id` an error.
 *
 * @throws Error for a reference that leads out of the schema, used or not: none is ever fetched
 * @see https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
export function withPlainReferences(schema: JsonSchema, dialect: Dialect): JsonSchema {
  return new Unfolding(schema, dialect).root();
}

/** Schemas that the validator brings along. */
const BROUGHT_ALONG: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema',
];

type Node = Record<string, unknown>;

/** The winners of a dynamic scope, by the name of their `$dynamicAnchor`. */
type Scope = ReadonlyMap<string, Node>;

interface Resource {
  readonly uri: string;
  readonly root: Node;
  readonly anchors: Map<string, Node>;
  readonly dynamicAnchors: Map<string, Node>;
}

/** What a root without an `$id` is called. */
const NAMELESS = 'schema://nameless/';

/** How many schemas may come of one; a scope of many resources could multiply without end. */
const MAX_UNFOLDED = 1_000;

/** Where schemas are only kept: nothing stands there any more once every reference is rewritten. */
const STORES: ReadonlySet<string> = new Set(['$defs', 'definitions']);

const REFERENCES = ['$ref', '$dynamicRef'] as const;

/** Keywords whose value is a schema or a list of schemas. */
const APPLICATORS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

class Unfolding {
  private readonly resources = new Map<string, Resource>();
  private readonly resourceOf = new Map<Node, Resource>();
  private readonly numbers = new Map<Node, number>();
  private readonly definitions: Record<string, JsonSchema> = {};
  private readonly pending: { key: string; node: Node; scope: Scope }[] = [];

  constructor(
    private readonly schema: JsonSchema,
    private readonly dialect: Dialect,
  ) {
    this.index(schema, this.addResource(schema, NAMELESS));
    this.checkReferences(schema);
  }

  root(): JsonSchema {
    const root = this.copy(this.schema, new Map());
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      this.definitions[next.key] = this.copy(next.node, next.scope);
    }
    return Object.keys(this.definitions).length === 0 ? root : { ...root, $defs: this.definitions };
  }

  private index(node: Node, resource: Resource): void {
    this.resourceOf.set(node, resource);
    this.numbers.set(node, this.numbers.size);
    for (const [name, isDynamic] of this.anchorsOf(node)) {
      if (resource.anchors.has(name)) throw new Error(`two schemas in it have the anchor ${name}`);
      resource.anchors.set(name, node);
      if (isDynamic) resource.dynamicAnchors.set(name, node);
    }
    for (const { schema } of subschemasOf(node)) {
      this.index(
        schema,
        this.isResource(schema) ? this.addResource(schema, resource.uri) : resource,
      );
    }
  }

  private *anchorsOf(node: Node): Generator<readonly [name: string, isDynamic: boolean]> {
    const { $id, $anchor, $dynamicAnchor } = node;
    if (this.dialect === 'draft-07') {
      if (typeof $id === 'string' && $id.startsWith('#')) yield [$id.slice(1), false];
      return;
    }
    if (typeof $anchor === 'string') yield [$anchor, false];
    if (typeof $dynamicAnchor === 'string') yield [$dynamicAnchor, true];
  }

  private isResource({ $id, $ref }: Node): boolean {
    if (typeof $id !== 'string') return false;
    return this.dialect === '2020-12' || (typeof $ref !== 'string' && !$id.startsWith('#'));
  }

  /** Only schemas are looked at: what an unknown keyword holds is data until something leads there. */
  private checkReferences(node: Node): void {
    for (const keyword of REFERENCES) {
      const ref = node[keyword];
      if (typeof ref === 'string' && this.resolve(ref, node) === undefined && !isKnown(ref)) {
        throw new Error(
          `can't resolve reference ${ref}: it leads out of the schema, and nothing is fetched`,
        );
      }
    }
    for (const { keyword, schema } of subschemasOf(node)) {
      if (APPLICATORS.has(keyword) || isSchemaMap(keyword)) this.checkReferences(schema);
    }
  }

  private addResource(root: Node, base: string): Resource {
    const id = root['$id'];
    const uri = typeof id === 'string' && URL.canParse(id, base) ? new URL(id, base).href : base;
    if (this.resources.has(withoutFragment(uri))) {
      throw new Error(`two schemas in it have the $id ${JSON.stringify(id)}`);
    }
    const resource = {
      uri: withoutFragment(uri),
      root,
      anchors: new Map<string, Node>(),
      dynamicAnchors: new Map<string, Node>(),
    };
    this.resources.set(resource.uri, resource);
    return resource;
  }

  private copy(node: Node, outer: Scope): JsonSchema {
    const scope = this.enter(node, outer);
    if (this.dialect === 'draft-07' && typeof node['$ref'] === 'string') {
      return { $ref: this.follow(node, scope) };
    }
    const copy: JsonSchema = {};
    for (const [keyword, value] of Object.entries(node)) {
      if (judges(keyword)) copy[keyword] = this.copyValue(keyword, value, scope);
    }
    const targets = [this.follow(node, scope), this.followDynamic(node, scope)].filter(
      (target) => target !== undefined,
    );
    const allOf = copy['allOf'];
    return targets.length === 0
      ? copy
      : {
          ...copy,
          allOf: [
            ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
            ...targets.map(($ref) => ({ $ref })),
          ],
        };
  }

  private copyValue(keyword: string, value: unknown, scope: Scope): unknown {
    const copyOf = (item: unknown): unknown => (isJsonObject(item) ? this.copy(item, scope) : item);
    if (isSchemaMap(keyword) && isJsonObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, copyOf(member)]),
      );
    }
    if (!APPLICATORS.has(keyword)) return value;
    return Array.isArray(value) ? value.map(copyOf) : copyOf(value);
  }

  /** The scope within a schema. */
  private enter(node: Node, scope: Scope): Scope {
    const { dynamicAnchors } = this.resourceOf.get(node) ?? {};
    return dynamicAnchors === undefined || dynamicAnchors.size === 0
      ? scope
      : new Map([...dynamicAnchors, ...scope]);
  }

  private follow(node: Node, scope: Scope): string | undefined {
    const ref = node['$ref'];
    if (typeof ref !== 'string') return undefined;
    const target = this.resolve(ref, node);
    return target === undefined ? ref : this.definitionOf(target, scope);
  }

  private followDynamic(node: Node, scope: Scope): string | undefined {
    const ref = node['$dynamicRef'];
    if (typeof ref !== 'string' || this.dialect === 'draft-07') return undefined;
    const target = this.resolve(ref, node);
    if (target === undefined) return ref;
    const anchor = target['$dynamicAnchor'];
    const isDynamic = typeof anchor === 'string' && ref.endsWith(`#${anchor}`);
    return this.definitionOf((isDynamic ? scope.get(anchor) : undefined) ?? target, scope);
  }

  /** The schema that a reference leads to, if it is within the root. */
  private resolve(ref: string, node: Node): Node | undefined {
    const { uri: base } = this.resourceOf.get(node) ?? { uri: NAMELESS };
    if (!URL.canParse(ref, base)) return undefined;
    const { href, hash } = new URL(ref, base);
    const resource = this.resources.get(withoutFragment(href));
    const fragment = decode(hash.slice(1));
    if (resource === undefined || fragment === undefined) return undefined;
    if (fragment === '') return resource.root;
    return fragment.startsWith('/') ? this.at(resource, fragment) : resource.anchors.get(fragment);
  }

  private at({ root }: Resource, pointer: string): Node | undefined {
    let value: unknown = root;
    for (const token of pointer.slice(1).split('/')) {
      const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
        return undefined;
      }
      value = (value as Node)[name];
    }
    // A schema may be `true` or `false`.
    if (typeof value === 'boolean') return value ? {} : { not: {} };
    return isJsonObject(value) && this.resourceOf.has(value) ? value : undefined;
  }

  /** The reference to a schema as it is in a scope. */
  private definitionOf(target: Node, outer: Scope): string {
    const scope = this.enter(target, outer);
    const winners = [...scope].map(([name, node]) => `${name}=${this.numbers.get(node)}`);
    const key = JSON.stringify([this.numberOf(target), ...winners.sort()]);
    if (!Object.hasOwn(this.definitions, key)) {
      if (Object.keys(this.definitions).length >= MAX_UNFOLDED) {
        throw new Error('its $dynamicRefs unfold to too many schemas');
      }
      this.definitions[key] = {};
      this.pending.push({ key, node: target, scope });
    }
    return `#/$defs/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
  }

  private numberOf(node: Node): number {
    const known = this.numbers.get(node);
    if (known !== undefined) return known;
    this.numbers.set(node, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Whether a keyword has a say in what values are accepted; references are seen to apart. */
function judges(keyword: string): boolean {
  return (
    ASSERTIONS.has(keyword) ||
    APPLICATORS.has(keyword) ||
    (isSchemaMap(keyword) && !STORES.has(keyword))
  );
}

function isKnown(ref: string): boolean {
  return BROUGHT_ALONG.includes(ref.replace(/#$/, ''));
}

function withoutFragment(uri: string): string {
  return uri.split('#', 1)[0] ?? uri;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
