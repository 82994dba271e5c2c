import { hash } from 'node:crypto';
import type { JsonValue } from '../protocol/index.js';
import { canonicalJson } from '../schema/index.js';

/** SHA-256 over the canonical JSON of a value: 43 characters of base64url. */
export function fingerprint(value: JsonValue | undefined): string {
  return hash('sha256', canonicalJson(value), 'base64url');
}
