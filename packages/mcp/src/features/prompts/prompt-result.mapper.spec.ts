import { InvalidResultException } from '../../exceptions/index.js';
import type { ContentBlock, PromptMessage } from '../../protocol/index.js';
import { toPromptResult } from './prompt-result.mapper.js';

const TEXT: ContentBlock = { type: 'text', text: 'x' };
const LINK: ContentBlock = { type: 'resource_link', uri: 'docs://a', name: 'a' };

const user = (content: ContentBlock): PromptMessage => ({ role: 'user', content });
const assistant = (content: ContentBlock): PromptMessage => ({ role: 'assistant', content });

describe('the result of a prompt', () => {
  it.each<[string, unknown, PromptMessage[]]>([
    ['text', 'x', [user(TEXT)]],
    ['an empty text', '', [user({ type: 'text', text: '' })]],
    ['a block', LINK, [user(LINK)]],
    ['a message', assistant(LINK), [assistant(LINK)]],
    [
      'texts, blocks and messages',
      ['x', LINK, assistant(TEXT)],
      [user(TEXT), user(LINK), assistant(TEXT)],
    ],
    ['no messages', [], []],
    ['a message with more than it may have', { ...user(TEXT), id: 1 }, [user(TEXT)]],
  ])('of %s', (_, value, messages) => {
    expect(toPromptResult('plan', value, undefined)).toEqual({ resultType: 'complete', messages });
    expect(toPromptResult('plan', value, 'Plans a trip')).toEqual({
      resultType: 'complete',
      description: 'Plans a trip',
      messages,
    });
  });

  it.each<[string, unknown, unknown]>([
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
  ])('of a whole result with %s', (_, value, result) => {
    expect(toPromptResult('plan', value, 'Plans a trip')).toEqual({
      resultType: 'complete',
      ...(result as object),
    });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an object', { a: 1 }],
    ['a list in a list', [['x']]],
    ['nothing in a list', ['x', undefined]],
    ['a message of the system', { role: 'system', content: TEXT }],
    ['a message of several blocks', { role: 'user', content: [TEXT] }],
    ['a message of text', { role: 'user', content: 'x' }],
    ['a broken block', { type: 'text' }],
    ['messages that are no list', { messages: 'x' }],
    ['a wrong message in a whole result', { messages: [user(TEXT), 5] }],
  ])('cannot be %s', (_, value) => {
    expect(() => toPromptResult('plan', value, undefined)).toThrow(InvalidResultException);
    expect(() => toPromptResult('plan', value, undefined)).toThrow(
      new Error(
        '"plan" returned a value that cannot be sent: a prompt returns text, content blocks, messages or { messages: […] }.',
      ),
    );
  });

  it('leaves what it is given as it was', () => {
    const value = Object.freeze({ messages: Object.freeze([Object.freeze(user(TEXT))]) });
    expect(toPromptResult('plan', value, undefined).messages).toEqual([user(TEXT)]);
  });
});
