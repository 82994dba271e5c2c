/** Any value that JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object with unknown members. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** True for a JSON object: not `null`, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
