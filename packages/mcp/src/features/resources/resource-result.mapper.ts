import { InvalidResultException } from '../../exceptions/index.js';
import { type Bytes, isBytes, type McpFile, toBuffer } from '../../pipeline/index.js';
import {
  type CacheScope,
  isJsonObject,
  isResourceContents,
  type ReadResourceResult,
  type ResourceContents,
} from '../../protocol/index.js';
import { resourceContentsProblem } from '../content/content-problem.js';
import { jsonText } from '../content/json-text.js';
import { isReturnedFile, ReturnedFile } from '../content/returned-file.js';
import type { ResourceEntry } from './resource.entry.js';

/** What the mapper must know of a resource. */
export type ReturningResource = Pick<ResourceEntry, 'name' | 'media' | 'cache'>;

/**
 * Turns what a resource returned into a result.
 *
 * | returned | contents |
 * | --- | --- |
 * | text | text |
 * | bytes or a file | text or blob, by its type |
 * | `{ text }`, `{ blob }` | as is; `uri` and `mimeType` are filled in |
 * | list with contents or files | the contents |
 * | `{ contents: […] }` | as is |
 * | anything else | its JSON as text |
 *
 * @throws InvalidResultException when the value cannot be sent
 */
export function toResourceResult(
  resource: ReturningResource,
  uri: string,
  value: unknown,
  cacheable: boolean,
): ReadResourceResult {
  const { ttlMs, scope } = resource.cache;
  const caching = {
    // What depends on answers must not be cached under the uri alone.
    ttlMs: cacheable ? ttlMs : 0,
    cacheScope: cacheable ? scope : ('private' as const),
  };
  if (isJsonObject(value) && Array.isArray(value['contents'])) {
    return { resultType: 'complete', ...caching, ...whole(resource, value) };
  }
  return { resultType: 'complete', contents: contentsOf(resource, uri, value), ...caching };
}

const CACHE_SCOPES: readonly CacheScope[] = ['public', 'private'];

function whole(
  { name }: ReturningResource,
  value: Record<string, unknown>,
): Pick<ReadResourceResult, 'contents'> & Partial<ReadResourceResult> {
  const { contents, ttlMs, cacheScope, _meta } = value as Partial<ReadResourceResult>;
  if (contents === undefined || contents.length === 0) {
    throw new InvalidResultException(
      name,
      'its contents are empty',
      'Throw a NotFoundException when there is nothing',
    );
  }
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 0)) {
    throw new InvalidResultException(
      name,
      `its ttlMs is ${String(ttlMs)}`,
      'Give milliseconds, or leave it out',
    );
  }
  if (cacheScope !== undefined && !CACHE_SCOPES.includes(cacheScope)) {
    throw new InvalidResultException(
      name,
      `its cacheScope is ${JSON.stringify(cacheScope)}`,
      'Say "public" or "private", or leave it out',
    );
  }
  return {
    contents: contents.map((item, index) => given(name, item, `of contents[${index}], `)),
    ...(ttlMs !== undefined && { ttlMs }),
    ...(cacheScope !== undefined && { cacheScope }),
    ...(_meta !== undefined && {
      _meta: JSON.parse(jsonText(name, _meta)) as NonNullable<typeof _meta>,
    }),
  };
}

function contentsOf(resource: ReturningResource, uri: string, value: unknown): ResourceContents[] {
  const { name, media } = resource;
  if (value === undefined) {
    throw new InvalidResultException(
      name,
      'it is nothing',
      'Return text, bytes, contents or data, or throw a NotFoundException',
    );
  }
  if (typeof value === 'string') return [{ uri, ...mimeTypeOf(media?.text), text: value }];
  if (isReturnedFile(value)) return [fileContents(resource, uri, value)];
  if (meansContents(value)) return [filledIn(resource, uri, value)];
  if (isContentsList(value)) {
    return value.map((item, index) =>
      isReturnedFile(item)
        ? fileContents(resource, uri, item)
        : given(name, item, `of item ${index + 1}, `),
    );
  }
  if (media?.isText === false) {
    throw new InvalidResultException(
      name,
      `it is data, and the resource is ${media.text}`,
      'Return bytes, or declare another mimeType',
    );
  }
  return [{ uri, mimeType: media?.text ?? 'application/json', text: jsonText(name, value) }];
}

function fileContents(
  { media }: ReturningResource,
  uri: string,
  value: Bytes | McpFile,
): ResourceContents {
  const file = new ReturnedFile(value, media);
  const { text } = file;
  const shared = { uri, ...mimeTypeOf(file.media?.text) };
  return text === undefined ? { ...shared, blob: file.base64 } : { ...shared, text };
}

const CONTENTS_MEMBERS = ['uri', 'mimeType', 'text', 'blob', '_meta'];

/** True for an object with text or a blob, and nothing that contents have not. */
function meansContents(value: unknown): value is Record<string, unknown> {
  return (
    isResourceContents(value) ||
    (isJsonObject(value) &&
      (value['text'] !== undefined || value['blob'] !== undefined) &&
      Object.keys(value).every((key) => CONTENTS_MEMBERS.includes(key)))
  );
}

/** A list of `{ text }` alone may well be data: in a list contents name their uri. */
function isContentsList(value: unknown): value is unknown[] {
  return (
    Array.isArray(value) && value.some((item) => isResourceContents(item) || isReturnedFile(item))
  );
}

function filledIn(
  { name, media }: ReturningResource,
  uri: string,
  value: Record<string, unknown>,
): ResourceContents {
  const { blob } = value;
  const contents = {
    uri,
    ...mimeTypeOf(value['uri'] === undefined ? media?.text : undefined),
    ...value,
    ...(isBytes(blob) && { blob: toBuffer(blob).toString('base64') }),
  };
  return given(name, contents, '');
}

function given(name: string, value: unknown, where: string): ResourceContents {
  const problem = resourceContentsProblem(value);
  if (problem === undefined) return value as ResourceContents;
  throw new InvalidResultException(
    name,
    `${where}${problem}`,
    'Return { uri, mimeType, text } or { uri, mimeType, blob }, or the JSON of what is data',
  );
}

function mimeTypeOf(mimeType: string | undefined): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}
