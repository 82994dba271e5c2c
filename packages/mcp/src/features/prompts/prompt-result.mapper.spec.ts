import { InvalidResultException } from '../../exceptions/index.js';
import { McpFile } from '../../pipeline/index.js';
import type { ContentBlock, GetPromptResult, PromptMessage } from '../../protocol/index.js';
import { toPromptResult } from './prompt-result.mapper.js';

const TEXT: ContentBlock = { type: 'text', text: 'x' };
const IMAGE: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
const LINK: ContentBlock = { type: 'resource_link', uri: 'docs://a', name: 'a' };
const EMBEDDED: ContentBlock = { type: 'resource', resource: { uri: 'docs://a', text: 'x' } };

const user = (content: ContentBlock): PromptMessage => ({ role: 'user', content });
const assistant = (content: ContentBlock): PromptMessage => ({ role: 'assistant', content });
const blob = (uri: string): ContentBlock => ({ type: 'resource', resource: { uri, blob: 'AA==' } });

function result(value: unknown, description?: string): GetPromptResult {
  return toPromptResult({ name: 'plan', descriptor: { name: 'plan', description } }, value);
}

describe('the result of a prompt', () => {
  it.each<[string, unknown, PromptMessage[]]>([
    ['text', 'x', [user(TEXT)]],
    ['an empty text', '', [user({ type: 'text', text: '' })]],
    ['a block', LINK, [user(LINK)]],
    ['an image', IMAGE, [user(IMAGE)]],
    ['audio', AUDIO, [user(AUDIO)]],
    ['an embedded resource', EMBEDDED, [user(EMBEDDED)]],
    ['bytes', Buffer.alloc(1), [user(blob('result://plan'))]],
    ['an image file', new McpFile(Buffer.alloc(1), { mimeType: 'image/png' }), [user(IMAGE)]],
    ['an audio file', new McpFile(Buffer.alloc(1), { mimeType: 'audio/wav' }), [user(AUDIO)]],
    ['a text file', new McpFile(Buffer.from('x'), { mimeType: 'text/plain' }), [user(TEXT)]],
    ['a message', assistant(LINK), [assistant(LINK)]],
    ['a message with an image', assistant(IMAGE), [assistant(IMAGE)]],
    [
      'texts, blocks and messages',
      ['x', LINK, assistant(TEXT)],
      [user(TEXT), user(LINK), assistant(TEXT)],
    ],
    ['text and bytes', ['x', Buffer.alloc(1)], [user(TEXT), user(blob('result://plan/2'))]],
    ['no messages', [], []],
    ['a message with more than it may have', { ...user(TEXT), id: 1 }, [user(TEXT)]],
  ])('of %s', (_, value, messages) => {
    expect(result(value)).toEqual({ resultType: 'complete', messages });
    expect(result(value, 'Plans a trip')).toEqual({
      resultType: 'complete',
      description: 'Plans a trip',
      messages,
    });
  });

  it.each<[string, unknown, object]>([
    ['messages only', { messages: ['x'] }, { messages: [user(TEXT)] }],
    [
      'everything',
      { description: 'D', messages: [assistant(TEXT)], _meta: { a: 1 } },
      { description: 'D', messages: [assistant(TEXT)], _meta: { a: 1 } },
    ],
    ['an empty description', { description: '', messages: [] }, { description: '', messages: [] }],
    ['an empty list', { messages: [] }, { messages: [] }],
    [
      'members that it does not have',
      { messages: [], other: 1, resultType: 'x', description: 5, _meta: [] },
      { messages: [] },
    ],
  ])('of a whole result with %s', (_, value, expected) => {
    expect(result(value, 'Plans a trip')).toEqual({ resultType: 'complete', ...expected });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'it is nothing a prompt can say'],
    ['null', null, 'it is nothing a prompt can say'],
    ['a number', 5, 'it is nothing a prompt can say'],
    ['an object', { a: 1 }, 'it is nothing a prompt can say'],
    ['a block of an unknown type', { type: 'video' }, 'it is nothing a prompt can say'],
    ['a list in a list', [['x']], 'item 1 is nothing a prompt can say'],
    ['nothing in a list', ['x', undefined], 'item 2 is nothing a prompt can say'],
    ['messages that are no list', { messages: 'x' }, 'it is nothing a prompt can say'],
    [
      'a wrong message in a whole result',
      { messages: [user(TEXT), 5] },
      'messages[1] is nothing a prompt can say',
    ],
    [
      'a message of several blocks',
      { role: 'user', content: [TEXT] },
      'of the content of it, it is a list, not a content block',
    ],
    [
      'a message of text',
      ['x', { role: 'user', content: 'x' }],
      'of the content of item 2, it is text, not a content block',
    ],
    [
      'a message of nothing',
      { role: 'user' },
      'of the content of it, it is nothing, not a content block',
    ],
    [
      'a message of an unknown type',
      { role: 'user', content: { type: 'video' } },
      'of the content of it, its type "video" is none of text, image, audio, resource_link, resource',
    ],
    ['a broken block', { type: 'text' }, 'of the content of it, its "text" is missing'],
  ])('cannot be %s', (_, value, detail) => {
    expect(() => result(value)).toThrow(InvalidResultException);
    expect(() => result(value)).toThrow(
      new Error(
        `"plan" returned a value that cannot be sent: ${detail}. ` +
          'Return text, content blocks, messages or { messages: […] }.',
      ),
    );
  });

  it('cannot be a message of the system', () => {
    expect(() => result({ role: 'system', content: TEXT })).toThrow(
      new Error(
        '"plan" returned a value that cannot be sent: it has the role "system". Use "user" or "assistant".',
      ),
    );
  });

  it('cannot have metadata that is not JSON', () => {
    expect(() => result({ messages: [], _meta: { n: 1n } })).toThrow(
      '"plan" returned a value that cannot be sent: n is a bigint, which JSON has not.',
    );
  });

  it('leaves what it is given as it was', () => {
    const value = Object.freeze({ messages: Object.freeze([Object.freeze(user(TEXT))]) });
    expect(result(value).messages).toEqual([user(TEXT)]);
  });
});
