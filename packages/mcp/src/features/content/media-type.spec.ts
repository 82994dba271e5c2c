import { MediaType } from './media-type.js';

const parse = (text: string): MediaType => MediaType.parse(text) as MediaType;

describe('MediaType', () => {
  it.each<[string, boolean]>([
    ['text/plain', true],
    ['text/html; charset=utf-8', true],
    ['TEXT/CSV', true],
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['application/xml', true],
    ['application/javascript', true],
    ['application/yaml', true],
    ['application/problem+json', true],
    ['application/atom+xml; charset=utf-8', true],
    ['image/svg+xml', true],
    ['application/vnd.x; charset=utf-16le', true],
    ['application/vnd.x; a=b; CHARSET="UTF-8"', true],
    ['application/octet-stream', false],
    ['image/png', false],
    ['application/pdf', false],
    ['application/jsonx', false],
    ['application/json-seq', false],
    ['application/vnd.text', false],
    ['audio/json', false],
    ['text/plain; charset=klingon', false],
    ['application/x; notcharset=utf-8', false],
  ])('"%s" is text: %s', (text, isText) => {
    expect(parse(text).isText).toBe(isText);
  });

  it.each([
    '',
    'text',
    'text/',
    '/plain',
    'text/plain;',
    'a/b/c',
    'audio/x;text/plain',
    'text/pl ain',
    'text/x; a="',
    'text/plain\n',
  ])('%j is none', (text) => {
    expect(MediaType.parse(text)).toBeUndefined();
  });

  it.each<[string, Buffer, string]>([
    ['text/plain', Buffer.from('größe'), 'größe'],
    ['text/plain; charset=UTF-8', Buffer.from('größe'), 'größe'],
    ['text/plain;charset=utf8', Buffer.from('\ufeffgröße'), 'größe'],
    ['text/plain; charset=iso-8859-1', Buffer.from('größe', 'latin1'), 'größe'],
    ['text/plain; charset="utf-16le"', Buffer.from('größe', 'utf16le'), 'größe'],
    ['text/plain; charset=shift_jis', Buffer.from([0x83, 0x65]), 'テ'],
    ['text/plain', Buffer.from([0xff]), '\ufffd'],
  ])('%s decodes its bytes', (text, bytes, decoded) => {
    expect(parse(text).decode(bytes)).toBe(decoded);
  });

  it('keeps its text, and knows its type', () => {
    expect(parse('Image/PNG; x=1')).toMatchObject({ text: 'Image/PNG; x=1', type: 'image' });
  });

  it('says when nobody can decode it', () => {
    expect(parse('text/x; charset=klingon')).toMatchObject({
      hasKnownCharset: false,
      charset: 'klingon',
    });
    expect(parse('image/png').hasKnownCharset).toBe(true);
  });
});
