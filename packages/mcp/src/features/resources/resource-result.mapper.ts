import { InvalidResultException } from '../../exceptions/index.js';
import {
  isJsonObject,
  isResourceContents,
  type ReadResourceResult,
  type ResourceContents,
} from '../../protocol/index.js';
import { jsonText } from '../json-text.js';
import type { ResourceEntry } from './resource.entry.js';

/**
 * Turns what a resource returned into a result: text as text, bytes as text or base64 by mime type,
 * contents and whole results as they are, anything else as JSON.
 * @throws InvalidResultException when the value cannot be sent
 */
export function toResourceResult(
  entry: ResourceEntry,
  uri: string,
  value: unknown,
  cacheable: boolean,
): ReadResourceResult {
  const { ttlMs, scope } = entry.cache;
  const caching = {
    // What depends on answers must not be cached under the uri alone.
    ttlMs: cacheable ? ttlMs : 0,
    cacheScope: cacheable ? scope : ('private' as const),
  };
  if (isJsonObject(value) && Array.isArray(value['contents'])) {
    const contents: unknown[] = value['contents'];
    if (contents.length === 0 || !contents.every(isResourceContents)) {
      throw new InvalidResultException(uri, 'its contents are not a list of text or blob contents');
    }
    const whole = value as Partial<ReadResourceResult>;
    return {
      resultType: 'complete',
      contents,
      ttlMs: whole.ttlMs ?? caching.ttlMs,
      cacheScope: whole.cacheScope ?? caching.cacheScope,
      ...(whole._meta !== undefined && { _meta: whole._meta }),
    };
  }
  return { resultType: 'complete', contents: contentsOf(entry, uri, value), ...caching };
}

function contentsOf(entry: ResourceEntry, uri: string, value: unknown): ResourceContents[] {
  if (isResourceContents(value)) return [value];
  if (Array.isArray(value) && value.length > 0 && value.every(isResourceContents)) return value;
  const { mimeType } = entry;
  const shared = { uri, ...(mimeType !== undefined && { mimeType }) };
  if (typeof value === 'string') return [{ ...shared, text: value }];
  if (value instanceof Uint8Array) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return isTextMime(mimeType)
      ? [{ ...shared, text: bytes.toString('utf8') }]
      : [{ ...shared, blob: bytes.toString('base64') }];
  }
  return [{ uri, mimeType: mimeType ?? 'application/json', text: jsonText(uri, value) }];
}

/** Types whose bytes are UTF-8 text. */
function isTextMime(mimeType: string | undefined): boolean {
  return (
    mimeType !== undefined &&
    /^(?:text\/|application\/(?:json|xml|javascript|ecmascript|yaml)\b|[^;]+\+(?:json|xml)\b)/i.test(
      mimeType,
    )
  );
}
