import type { JsonSchema } from './json-schema.js';

/** What is written for a class: nothing in it is a boolean schema, or a list of draft-07. */
export interface DtoSchema extends JsonSchema {
  $defs?: Record<string, DtoSchema>;
  type?: string;
  properties?: Record<string, DtoSchema>;
  required?: string[];
  items?: DtoSchema;
}
