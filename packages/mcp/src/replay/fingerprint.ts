import { createHash } from 'node:crypto';
import type { JsonValue } from '../protocol/index.js';
import { canonicalJson } from '../schema/index.js';

/** SHA-256 over the canonical JSON of a value: 43 characters of base64url. */
export function fingerprint(value: JsonValue | undefined): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url');
}
