/** A JSON Schema, 2020-12 unless `$schema` says otherwise. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema | boolean>>;
  type?: string | readonly string[];
  title?: string;
  description?: string;
  properties?: Readonly<Record<string, JsonSchema | boolean>>;
  required?: readonly string[];
  /** A list is for draft-07 alone; 2020-12 calls it `prefixItems`. */
  items?: JsonSchema | boolean | readonly (JsonSchema | boolean)[];
  enum?: readonly unknown[];
  format?: string;
  default?: unknown;
  additionalProperties?: boolean | JsonSchema;
  [keyword: string]: unknown;
}
