/**
 * The parts of Standard Schema and Standard JSON Schema that are used here; zod 4, valibot and
 * arktype implement them.
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      input(options: { target: 'draft-2020-12' }): Record<string, unknown>;
      output(options: { target: 'draft-2020-12' }): Record<string, unknown>;
    };
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export function isStandardSchema(source: unknown): source is StandardSchema {
  return (
    ((typeof source === 'object' && source !== null) || typeof source === 'function') &&
    '~standard' in source
  );
}
