import { RequestStateRejectedException } from '../exceptions/index.js';
import { checkAnswerShape } from './answer-shape.js';

function rejection(answer: unknown): RequestStateRejectedException {
  try {
    checkAnswerShape('elicit', 'plan', answer);
  } catch (error) {
    if (error instanceof RequestStateRejectedException) return error;
  }
  throw new Error('was not rejected');
}

describe('checkAnswerShape', () => {
  it.each([
    [
      'accepted content',
      { action: 'accept', content: { a: 'x', b: 1, c: true, d: ['y'] } },
      undefined,
    ],
    ['accepted without content', { action: 'accept' }, { action: 'accept', content: {} }],
    [
      'accepted with null content',
      { action: 'accept', content: null },
      { action: 'accept', content: {} },
    ],
    ['declined', { action: 'decline' }, undefined],
    ['cancelled', { action: 'cancel' }, undefined],
    [
      'declined with content, which is dropped',
      { action: 'decline', content: { a: 1 } },
      { action: 'decline' },
    ],
    ['members the protocol does not define', { action: 'cancel', extra: 1 }, { action: 'cancel' }],
  ])('takes an answer that is %s', (_, answer, taken) => {
    expect(checkAnswerShape('elicit', 'plan', answer)).toEqual(taken ?? answer);
  });

  it.each([
    ['a number', 12345],
    ['null', null],
    ['a list', []],
    ['text', 'accept'],
    ['no action', {}],
    ['an unknown action', { action: 'agree' }],
    ['an action that is no text', { action: ['accept'] }],
    ['content that is a list', { action: 'accept', content: [] }],
    ['content that is text', { action: 'accept', content: 'x' }],
    ['a nested value', { action: 'accept', content: { a: { b: 1 } } }],
    ['a null value', { action: 'accept', content: { a: null } }],
    ['a number that JSON cannot write down', { action: 'accept', content: { a: Infinity } }],
    ['a list of numbers', { action: 'accept', content: { a: [1] } }],
  ])('refuses %s as malformed', (_, answer) => {
    const { reason, data, message } = rejection(answer);
    expect(reason).toBe('answer_malformed');
    expect(data).toEqual({ reason: 'answer_malformed', key: 'plan' });
    expect(message).toMatch(/^inputResponses\["plan"\] .+ Repeat the call/);
  });

  it.each([
    ['sampling', { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }],
    ['roots', { roots: [] }],
    ['a model', { model: 'm' }],
  ])('refuses an answer of another kind: %s', (_, answer) => {
    const { reason, message } = rejection(answer);
    expect(reason).toBe('answer_wrong_kind');
    expect(message).toContain('must carry an elicitation result');
  });
});

describe('checkAnswerShape of the other kinds', () => {
  const text = { type: 'text', text: 'Paris' };
  const picture = { type: 'image', data: '', mimeType: 'image/png' };
  const sound = { type: 'audio', data: '', mimeType: 'audio/wav' };
  const use = { type: 'tool_use', id: '1', name: 'weather', input: {} };
  const outcome = { type: 'tool_result', toolUseId: '1', content: [] };

  it.each([
    ['sample', { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' }, undefined],
    ['sample', { role: 'user', content: [text, text], model: 'm' }, undefined],
    [
      'sample',
      { role: 'assistant', content: text, model: 'm', extra: 1 },
      { role: 'assistant', content: text, model: 'm' },
    ],
    ['sample', { role: 'assistant', content: picture, model: 'm' }, undefined],
    ['sample', { role: 'assistant', content: [text, sound], model: 'm' }, undefined],
    ['sample', { role: 'assistant', content: [use, use], model: 'm' }, undefined],
    ['sample', { role: 'user', content: outcome, model: 'm' }, undefined],
    ['roots', { roots: [] }, undefined],
    ['roots', { roots: [{ uri: 'file:///a', name: 'a' }] }, undefined],
    ['roots', { roots: [{ uri: 'file:///a', name: 5, x: 1 }] }, { roots: [{ uri: 'file:///a' }] }],
  ] as const)('takes %s %j', (kind, answer, taken) => {
    expect(checkAnswerShape(kind, 'k', answer)).toEqual(taken ?? answer);
  });

  it.each([
    ['sample', { role: 'system', content: text, model: 'm' }, 'has no "role"'],
    ['sample', { role: 'user', content: text }, 'does not name its "model"'],
    ['sample', { role: 'user', content: 'Paris', model: 'm' }, 'neither a whole content block nor'],
    ['sample', { role: 'user', model: 'm' }, 'neither a whole content block nor'],
    ['sample', { role: 'user', content: [{}], model: 'm' }, 'neither a whole content block nor'],
    ...[
      null,
      { type: 5 },
      { type: 'text' },
      { type: 'text', text: 5 },
      { type: 'video', data: '', mimeType: 'video/mp4' },
      { type: 'toString' },
      { ...picture, data: 5 },
      { ...sound, mimeType: undefined },
      { ...use, id: 1 },
      { ...use, name: undefined },
      { ...use, input: [] },
      { ...outcome, toolUseId: 1 },
      { ...outcome, content: text },
    ].map(
      (block) =>
        [
          'sample',
          { role: 'assistant', content: [text, block], model: 'm' },
          'neither a whole content block nor',
        ] as const,
    ),
    ['sample', { role: 'user', content: text, model: 'm', stopReason: 5 }, '"stopReason"'],
    [
      'sample',
      { role: 'user', content: { ...use, input: { cents: [Infinity] } }, model: 'm' },
      'a number too large to hold',
    ],
    ['sample', {}, 'has no "role"'],
    ['roots', {}, 'has no list of "roots"'],
    ['roots', { roots: {} }, 'has no list of "roots"'],
    ['roots', { roots: ['file:///a'] }, 'has a root without a "uri"'],
    ['roots', { roots: [{ uri: '/home' }] }, 'has a root without a "uri" of a file'],
    ['roots', { roots: [{ uri: 'https://a/' }] }, 'has a root without a "uri" of a file'],
    ['roots', { roots: [{ name: 'a' }] }, 'has a root without a "uri"'],
  ] as const)('refuses %s %j as malformed', (kind, answer, fact) => {
    expect(() => checkAnswerShape(kind, 'k', answer)).toThrow(fact);
  });

  it('refuses what is nested deeper than anything follows it', () => {
    const used = (levels: number): object => {
      let input: object = {};
      for (let level = 0; level < levels; level += 1) input = { input };
      return { role: 'assistant', content: [{ ...use, input }], model: 'm' };
    };
    expect(() => checkAnswerShape('sample', 'k', used(100))).not.toThrow();
    for (const levels of [200, 100_000]) {
      expect(() => checkAnswerShape('sample', 'k', used(levels))).toThrow(
        'has a "content" nested more than 128 levels deep',
      );
    }
  });

  it.each([
    ['sample', { action: 'accept' }, 'a sampling result'],
    ['sample', { roots: [] }, 'a sampling result'],
    ['roots', { action: 'accept' }, 'a list of roots'],
    ['roots', { role: 'user', content: text, model: 'm' }, 'a list of roots'],
  ] as const)('refuses for %s an answer of another kind: %j', (kind, answer, name) => {
    expect(() => checkAnswerShape(kind, 'k', answer)).toThrow(`must carry ${name}`);
  });
});
