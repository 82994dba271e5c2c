import { InvalidResultException } from '../../exceptions/index.js';
import { McpFile } from '../../pipeline/index.js';
import type { ResourceContents } from '../../protocol/index.js';
import { MediaType } from '../content/media-type.js';
import type { ResourceEntry } from './resource.entry.js';
import { type ReturningResource, toResourceResult } from './resource-result.mapper.js';

const URI = 'docs://a';
const BYTES = Buffer.from('größe');
const BASE64 = BYTES.toString('base64');

function resource(
  mimeType?: string,
  cache: ResourceEntry['cache'] = { ttlMs: 0, scope: 'private' },
): ReturningResource {
  const media = mimeType === undefined ? undefined : MediaType.parse(mimeType);
  return { name: 'docs://{page}', media, cache };
}

function contents(value: unknown, mimeType?: string): ResourceContents[] {
  return toResourceResult(resource(mimeType), URI, value, true).contents;
}

describe('the contents of a resource', () => {
  it.each<[string, string | undefined, unknown, object]>([
    ['text', undefined, 'x', { uri: URI, text: 'x' }],
    ['text with a type', 'text/markdown', 'x', { uri: URI, mimeType: 'text/markdown', text: 'x' }],
    [
      'text with a type that is not',
      'image/png',
      'x',
      { uri: URI, mimeType: 'image/png', text: 'x' },
    ],
    ['an empty text', 'text/plain', '', { uri: URI, mimeType: 'text/plain', text: '' }],
    ['bytes of no type', undefined, BYTES, { uri: URI, blob: BASE64 }],
    ['bytes of a text', 'text/csv', BYTES, { uri: URI, mimeType: 'text/csv', text: 'größe' }],
    [
      'bytes of a text in Latin 1',
      'text/plain; charset="latin1"',
      Buffer.from('größe', 'latin1'),
      { uri: URI, mimeType: 'text/plain; charset="latin1"', text: 'größe' },
    ],
    ['bytes of an image', 'image/png', BYTES, { uri: URI, mimeType: 'image/png', blob: BASE64 }],
    ['no bytes', undefined, Buffer.alloc(0), { uri: URI, blob: '' }],
    [
      'a part of the memory',
      undefined,
      new Uint8Array([1, 2, 3, 4]).subarray(1, 3),
      { uri: URI, blob: 'AgM=' },
    ],
    ['memory', undefined, new Uint8Array([1]).buffer, { uri: URI, blob: 'AQ==' }],
    [
      'a file',
      undefined,
      new McpFile(BYTES, { mimeType: 'image/png', name: 'a.png' }),
      { uri: URI, mimeType: 'image/png', blob: BASE64 },
    ],
    [
      'a file of text',
      undefined,
      new McpFile(BYTES, { mimeType: 'text/csv' }),
      { uri: URI, mimeType: 'text/csv', text: 'größe' },
    ],
    [
      'a file of a type of its own',
      'text/csv',
      new McpFile(BYTES, { mimeType: 'image/png' }),
      { uri: URI, mimeType: 'text/csv', text: 'größe' },
    ],
    [
      'a file in an unknown charset',
      undefined,
      new McpFile(BYTES, { mimeType: 'text/x; charset=klingon' }),
      { uri: URI, mimeType: 'text/x; charset=klingon', blob: BASE64 },
    ],
    [
      'a file that was read as text',
      undefined,
      new McpFile('x', { mimeType: 'image/png' }),
      { uri: URI, mimeType: 'image/png', text: 'x' },
    ],
    ['an object', undefined, { a: 1 }, { uri: URI, mimeType: 'application/json', text: '{"a":1}' }],
    [
      'an object with a type',
      'application/ld+json',
      { a: 1 },
      { uri: URI, mimeType: 'application/ld+json', text: '{"a":1}' },
    ],
    ['null', undefined, null, { uri: URI, mimeType: 'application/json', text: 'null' }],
    ['an empty list', undefined, [], { uri: URI, mimeType: 'application/json', text: '[]' }],
    [
      'a list of text',
      undefined,
      ['a', 'b'],
      { uri: URI, mimeType: 'application/json', text: '["a","b"]' },
    ],
    [
      'a list of texts in objects',
      undefined,
      [{ text: 'a' }],
      { uri: URI, mimeType: 'application/json', text: '[{"text":"a"}]' },
    ],
    ['a number', undefined, 5, { uri: URI, mimeType: 'application/json', text: '5' }],
    [
      'a date',
      undefined,
      new Date(0),
      { uri: URI, mimeType: 'application/json', text: '"1970-01-01T00:00:00.000Z"' },
    ],
    [
      'an object with a text among its data',
      undefined,
      { text: 'x', author: 'y' },
      { uri: URI, mimeType: 'application/json', text: '{"text":"x","author":"y"}' },
    ],
    [
      'contents, which keep their uri',
      'text/plain',
      { uri: 'docs://b', text: 'x', _meta: { a: 1 } },
      { uri: 'docs://b', text: 'x', _meta: { a: 1 } },
    ],
    ['a blob', undefined, { uri: URI, blob: 'AA==' }, { uri: URI, blob: 'AA==' }],
    [
      'text alone',
      'text/markdown',
      { text: 'x' },
      { uri: URI, mimeType: 'text/markdown', text: 'x' },
    ],
    [
      'text and a type',
      'text/markdown',
      { text: 'x', mimeType: 'text/csv' },
      { uri: URI, mimeType: 'text/csv', text: 'x' },
    ],
    ['a blob alone', undefined, { blob: 'AA==' }, { uri: URI, blob: 'AA==' }],
    [
      'a blob of bytes',
      undefined,
      { blob: BYTES, mimeType: 'image/png' },
      { uri: URI, mimeType: 'image/png', blob: BASE64 },
    ],
  ])('made of %s', (_, mimeType, value, made) => {
    expect(contents(value, mimeType)).toEqual([made]);
  });

  it.each<[string, unknown, object[]]>([
    [
      'contents',
      [
        { uri: 'docs://a/1', text: 'x' },
        { uri: 'docs://a/2', blob: 'AA==' },
      ],
      [
        { uri: 'docs://a/1', text: 'x' },
        { uri: 'docs://a/2', blob: 'AA==' },
      ],
    ],
    [
      'files',
      [BYTES, new McpFile('x')],
      [
        { uri: URI, blob: BASE64 },
        { uri: URI, text: 'x' },
      ],
    ],
    [
      'a whole result',
      {
        contents: [
          { uri: 'docs://a/1', text: 'x' },
          { uri: URI, blob: '' },
        ],
      },
      [
        { uri: 'docs://a/1', text: 'x' },
        { uri: URI, blob: '' },
      ],
    ],
  ])('may be several, of %s', (_, value, several) => {
    expect(contents(value)).toEqual(several);
  });

  const MEND =
    'Return { uri, mimeType, text } or { uri, mimeType, blob }, or the JSON of what is data';

  it.each<[string, unknown, string]>([
    [
      'nothing',
      undefined,
      'it is nothing. Return text, bytes, contents or data, or throw a NotFoundException',
    ],
    ['a function', () => 1, 'it is a function, which JSON has not. Return data'],
    [
      'a bigint',
      1n,
      'it is a bigint, which JSON has not. Return it as text, or as a number if it is small enough',
    ],
    [
      'text that is a number',
      { text: 5 },
      `its "text" is a value of type number, not text. ${MEND}`,
    ],
    ['a blob that is no base64', { blob: 'größe' }, `its "blob" is text, not base64. ${MEND}`],
    [
      'text and a blob',
      { uri: URI, text: 'x', blob: 'AA==' },
      `it has both "text" and "blob". ${MEND}`,
    ],
    [
      'text of no type',
      { text: 'x', mimeType: 5 },
      `its "mimeType" is a value of type number, not text. ${MEND}`,
    ],
    [
      'a list that is only partly of contents',
      [{ uri: URI, text: 'x' }, { a: 1 }],
      `of item 2, it has neither "text" nor "blob". ${MEND}`,
    ],
    [
      'a list of contents without a uri',
      [{ uri: URI, text: 'x' }, { text: 'y' }],
      `of item 2, its "uri" is missing. ${MEND}`,
    ],
    [
      'a list of contents and text',
      [{ uri: URI, text: 'x' }, 'y'],
      `of item 2, it is text, not the contents of a resource. ${MEND}`,
    ],
    [
      'a whole result of nothing',
      { contents: [] },
      'its contents are empty. Throw a NotFoundException when there is nothing',
    ],
    [
      'a whole result of something else',
      { contents: [{ uri: URI }] },
      `of contents[0], it has neither "text" nor "blob". ${MEND}`,
    ],
    [
      'a whole result of text',
      { contents: ['x'] },
      `of contents[0], it is text, not the contents of a resource. ${MEND}`,
    ],
    [
      'a whole result without a uri',
      { contents: [{ text: 'x' }] },
      `of contents[0], its "uri" is missing. ${MEND}`,
    ],
    [
      'a whole result kept for no time',
      { contents: [{ uri: URI, text: 'x' }], ttlMs: -1 },
      'its ttlMs is -1. Give milliseconds, or leave it out',
    ],
    [
      'a whole result kept by nobody',
      { contents: [{ uri: URI, text: 'x' }], cacheScope: 'x' },
      'its cacheScope is "x". Say "public" or "private", or leave it out',
    ],
  ])('cannot be made of %s', (_, value, detail) => {
    expect(() => contents(value)).toThrow(InvalidResultException);
    expect(() => contents(value)).toThrow(
      new Error(`"docs://{page}" returned a value that cannot be sent: ${detail}.`),
    );
  });

  it('cannot be data when the resource is declared to be something else', () => {
    expect(() => contents({ a: 1 }, 'image/png')).toThrow(
      'it is data, and the resource is image/png. Return bytes, or declare another mimeType.',
    );
  });
});

describe('the result of a resource', () => {
  const cached = resource('text/plain', { ttlMs: 60_000, scope: 'public' });
  const TEXT = { uri: URI, text: 'x' };
  const PUBLIC = { ttlMs: 60_000, cacheScope: 'public' };

  it.each<[string, boolean, unknown, object]>([
    ['says how long it may be kept', true, TEXT, { contents: [TEXT], ...PUBLIC }],
    [
      'may not be kept when answers were needed for it',
      false,
      TEXT,
      { contents: [TEXT], ttlMs: 0, cacheScope: 'private' },
    ],
    [
      'may be given whole, and is kept as the resource declares',
      true,
      { contents: [TEXT] },
      { contents: [TEXT], ...PUBLIC },
    ],
    [
      'may say itself how long it may be kept',
      true,
      { contents: [TEXT], ttlMs: 5, cacheScope: 'private', _meta: { a: 1 } },
      { contents: [TEXT], ttlMs: 5, cacheScope: 'private', _meta: { a: 1 } },
    ],
    [
      'may say so in a conversation too',
      false,
      { contents: [TEXT], ttlMs: 5, cacheScope: 'public' },
      { contents: [TEXT], ttlMs: 5, cacheScope: 'public' },
    ],
    [
      'says so even when a whole result leaves it undefined',
      true,
      { contents: [TEXT], ttlMs: undefined, cacheScope: undefined },
      { contents: [TEXT], ...PUBLIC },
    ],
    [
      'is always complete',
      true,
      { contents: [TEXT], resultType: 'input_required' },
      { contents: [TEXT], ...PUBLIC },
    ],
    [
      'has no members that the protocol does not define',
      true,
      { contents: [TEXT], id: 1 },
      { contents: [TEXT], ...PUBLIC },
    ],
  ])('%s', (_, cacheable, value, expected) => {
    expect(toResourceResult(cached, URI, value, cacheable)).toEqual({
      resultType: 'complete',
      ...expected,
    });
  });
});
