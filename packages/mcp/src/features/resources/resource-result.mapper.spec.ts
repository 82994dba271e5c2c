import { InvalidResultException } from '../../exceptions/index.js';
import type { ResourceContents } from '../../protocol/index.js';
import type { ResourceEntry } from './resource.entry.js';
import { toResourceResult } from './resource-result.mapper.js';

const URI = 'docs://a';
const BYTES = Buffer.from('größe');

function entry(
  mimeType?: string,
  cache: ResourceEntry['cache'] = { ttlMs: 0, scope: 'private' },
): ResourceEntry {
  return { mimeType, cache } as ResourceEntry;
}

function contents(value: unknown, mimeType?: string): ResourceContents[] {
  return toResourceResult(entry(mimeType), URI, value, true).contents;
}

describe('the contents of a resource', () => {
  it.each<[string, string | undefined, unknown, unknown]>([
    ['text', undefined, 'x', { uri: URI, text: 'x' }],
    ['text with a type', 'text/markdown', 'x', { uri: URI, mimeType: 'text/markdown', text: 'x' }],
    ['an empty text', 'text/plain', '', { uri: URI, mimeType: 'text/plain', text: '' }],
    ['bytes of no type', undefined, BYTES, { uri: URI, blob: BYTES.toString('base64') }],
    ['no bytes', undefined, Buffer.alloc(0), { uri: URI, blob: '' }],
    ['an object', undefined, { a: 1 }, { uri: URI, mimeType: 'application/json', text: '{"a":1}' }],
    [
      'an object with a type',
      'application/ld+json',
      { a: 1 },
      { uri: URI, mimeType: 'application/ld+json', text: '{"a":1}' },
    ],
    ['null', undefined, null, { uri: URI, mimeType: 'application/json', text: 'null' }],
    ['an empty list', undefined, [], { uri: URI, mimeType: 'application/json', text: '[]' }],
    ['a number', undefined, 5, { uri: URI, mimeType: 'application/json', text: '5' }],
    [
      'contents, which keep their uri',
      'text/plain',
      { uri: 'docs://b', text: 'x', _meta: { a: 1 } },
      { uri: 'docs://b', text: 'x', _meta: { a: 1 } },
    ],
    ['a blob', undefined, { uri: URI, blob: 'AA==' }, { uri: URI, blob: 'AA==' }],
  ])('made of %s', (_, mimeType, value, made) => {
    expect(contents(value, mimeType)).toEqual([made]);
  });

  it('may be several', () => {
    const several = [
      { uri: 'docs://a/1', text: 'x' },
      { uri: 'docs://a/2', blob: 'AA==' },
    ];
    expect(contents(several)).toEqual(several);
  });

  it('are JSON when only some of a list are contents', () => {
    const mixed = [{ uri: URI, text: 'x' }, { a: 1 }];
    expect(contents(mixed)).toEqual([
      { uri: URI, mimeType: 'application/json', text: JSON.stringify(mixed) },
    ]);
  });

  it.each([
    'text/plain',
    'text/html; charset=utf-8',
    'TEXT/CSV',
    'application/json',
    'application/json; charset=utf-8',
    'application/xml',
    'application/javascript',
    'application/yaml',
    'application/problem+json',
    'image/svg+xml',
    'application/atom+xml; charset=utf-8',
  ])('are text when the bytes are %s', (mimeType) => {
    expect(contents(BYTES, mimeType)).toEqual([{ uri: URI, mimeType, text: 'größe' }]);
  });

  it.each([
    'application/octet-stream',
    'image/png',
    'application/pdf',
    'application/jsonx',
    'application/vnd.text',
    'audio/x;text/plain',
    '',
  ])('are base64 when the bytes are "%s"', (mimeType) => {
    expect(contents(BYTES, mimeType)).toEqual([
      { uri: URI, mimeType, blob: BYTES.toString('base64') },
    ]);
  });

  it('are the bytes of the view, not of the memory it lies in', () => {
    const memory = new Uint8Array([1, 2, 3, 4]);
    expect(contents(memory.subarray(1, 3))).toEqual([{ uri: URI, blob: 'AgM=' }]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'JSON has no undefined'],
    ['a function', () => 1, 'JSON has no function'],
    ['a bigint', 1n, 'it is not JSON (Do not know how to serialize a BigInt)'],
    [
      'a whole result of nothing',
      { contents: [] },
      'its contents are not a list of text or blob contents',
    ],
    [
      'a whole result of something else',
      { contents: [{ uri: URI }] },
      'its contents are not a list of text or blob contents',
    ],
    [
      'a whole result of text',
      { contents: ['x'] },
      'its contents are not a list of text or blob contents',
    ],
  ])('cannot be made of %s', (_, value, detail) => {
    expect(() => contents(value)).toThrow(InvalidResultException);
    expect(() => contents(value)).toThrow(
      new Error(`"docs://a" returned a value that cannot be sent: ${detail}.`),
    );
  });
});

describe('the result of a resource', () => {
  const cached = entry('text/plain', { ttlMs: 60_000, scope: 'public' });
  const TEXT = { uri: URI, text: 'x' };

  it('says how long it may be kept', () => {
    expect(toResourceResult(cached, URI, 'x', true)).toEqual({
      resultType: 'complete',
      contents: [{ uri: URI, mimeType: 'text/plain', text: 'x' }],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  it('may not be kept when answers were needed for it', () => {
    expect(toResourceResult(cached, URI, 'x', false)).toEqual({
      resultType: 'complete',
      contents: [{ uri: URI, mimeType: 'text/plain', text: 'x' }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('may be given whole, and is kept as the resource declares', () => {
    expect(toResourceResult(cached, URI, { contents: [TEXT] }, true)).toEqual({
      resultType: 'complete',
      contents: [TEXT],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  it('may say itself how long it may be kept, in a conversation too', () => {
    const whole = { contents: [TEXT], ttlMs: 5, cacheScope: 'private', _meta: { a: 1 } };
    for (const cacheable of [true, false]) {
      expect(toResourceResult(cached, URI, whole, cacheable)).toEqual({
        resultType: 'complete',
        ...whole,
      });
    }
  });

  it('says how long it may be kept even when a whole result leaves it undefined', () => {
    const whole = { contents: [TEXT], ttlMs: undefined, cacheScope: undefined };
    expect(toResourceResult(cached, URI, whole, true)).toEqual({
      resultType: 'complete',
      contents: [TEXT],
      ttlMs: 60_000,
      cacheScope: 'public',
    });
  });

  it('is always complete', () => {
    const whole = { contents: [TEXT], resultType: 'input_required' };
    expect(toResourceResult(cached, URI, whole, true).resultType).toBe('complete');
  });

  it('has no members that the protocol does not define', () => {
    const whole = { contents: [TEXT], id: 1 };
    expect(toResourceResult(cached, URI, whole, true)).not.toHaveProperty('id');
  });
});
