import type { Type } from '@nestjs/common';
import type { ArgumentProblem } from '../exceptions/index.js';
import type { JsonSchema } from './json-schema.js';
import type { StandardSchema } from './standard-schema.js';

/** What `input` and `output` accept: a class-validator DTO, a Standard Schema, or JSON Schema. */
export type SchemaSource = Type<object> | StandardSchema | JsonSchema;

/**
 * The verdict on a value. An accepted one is what the schema has made of it (instances, defaults,
 * without strangers): what goes on is this, not the value.
 */
export type SchemaResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly ArgumentProblem[] };

/** A schema ready for use, compiled once at boot. */
export interface CompiledSchema {
  /** As lists show it. */
  readonly json: JsonSchema;
  /** Never throws for a bad value. */
  validate(value: unknown): SchemaResult | Promise<SchemaResult>;
}

/** Which side of a transforming schema lists show. */
export type SchemaSide = 'input' | 'output';
