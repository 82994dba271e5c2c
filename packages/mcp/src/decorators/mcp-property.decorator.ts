import { JSONSchema } from 'class-validator-jsonschema';
import type { JsonSchema } from '../schema/index.js';

/**
 * Says of a DTO's property what class-validator cannot: title, description, examples or any other
 * keyword of JSON Schema. Models read it in `inputSchema`, people beside the field of a form.
 */
export function McpProperty(keywords: JsonSchema): PropertyDecorator {
  return JSONSchema(keywords as Parameters<typeof JSONSchema>[0]) as PropertyDecorator;
}
