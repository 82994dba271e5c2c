import { isContentBlock, isJsonObject, isRequestId, isResourceContents } from './index.js';

class Text {
  readonly type = 'text';
  readonly text = 'x';
}

describe('isContentBlock', () => {
  it.each<[unknown, boolean]>([
    [{ type: 'text', text: '' }, true],
    [{ type: 'text', text: 'x', annotations: {}, other: 1 }, true],
    [new Text(), true],
    [{ type: 'image', data: '', mimeType: '' }, true],
    [{ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }, true],
    [{ type: 'resource_link', uri: 'docs://a', name: 'a' }, true],
    [{ type: 'resource', resource: { uri: 'docs://a', text: '' } }, true],
    [{ type: 'resource', resource: { uri: 'docs://a', blob: '' } }, true],
    [{ type: 'text' }, false],
    [{ type: 'text', text: 5 }, false],
    [{ text: 'x' }, false],
    [{ type: 'image', data: 'AA==' }, false],
    [{ type: 'audio', mimeType: 'audio/wav' }, false],
    [{ type: 'resource_link', uri: 'docs://a' }, false],
    [{ type: 'resource', resource: null }, false],
    [{ type: 'resource', resource: { uri: 'docs://a' } }, false],
    [{ type: 'resource', resource: 'docs://a' }, false],
    [{ type: 'video', data: 'x', mimeType: 'y' }, false],
    [{ type: ['text'], text: 'x' }, false],
    [{}, false],
    [[], false],
    [null, false],
    [undefined, false],
    ['text', false],
    [5, false],
  ])('of %j is %s', (value, expected) => {
    expect(isContentBlock(value)).toBe(expected);
  });
});

describe('isResourceContents', () => {
  it.each<[unknown, boolean]>([
    [{ uri: 'docs://a', text: '' }, true],
    [{ uri: 'docs://a', blob: '' }, true],
    [{ uri: 'docs://a', text: 5, blob: 'AA==' }, true],
    [{ uri: 'docs://a' }, false],
    [{ uri: 5, text: 'x' }, false],
    [{ text: 'x' }, false],
    [null, false],
    [undefined, false],
    ['docs://a', false],
    [[], false],
  ])('of %j is %s', (value, expected) => {
    expect(isResourceContents(value)).toBe(expected);
  });
});

describe('isRequestId', () => {
  it.each<[unknown, boolean]>([
    ['', true],
    ['a', true],
    [0, true],
    [-1, true],
    [Number.MAX_SAFE_INTEGER, true],
    [2 ** 53, false],
    [1.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [1n, false],
    [null, false],
    [undefined, false],
    [true, false],
    [[1], false],
    [{}, false],
  ])('of %p is %s', (value, expected) => {
    expect(isRequestId(value)).toBe(expected);
  });
});

describe('isJsonObject', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [new Text(), true],
    [[], false],
    [null, false],
    [undefined, false],
    ['x', false],
    [5, false],
    [() => 1, false],
  ])('of %p is %s', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});
