import { ClientRefusalException } from '../../exceptions/index.js';
import {
  type CreateMessageRequestParams,
  type ElicitRequestFormParams,
  LEGACY_REVISIONS,
  type LegacyRevision,
  type PrimitiveSchema,
  type SamplingMessage,
} from '../../protocol/index.js';
import { liveQuestion } from './live-question.js';

const METHOD = 'elicitation/create';
const SAMPLING = 'sampling/createMessage';
const PAGE = { mode: 'url', message: 'Sign in', url: 'https://example.com' } as const;
const TEXT = { type: 'text', text: 'Hello' } as const;
const IMAGE = { type: 'image', data: 'eA==', mimeType: 'image/png' } as const;
const SEVERAL: PrimitiveSchema = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } };

function form(properties: Record<string, PrimitiveSchema>, revision: LegacyRevision): unknown {
  const params: ElicitRequestFormParams = {
    mode: 'form',
    message: 'Your plan?',
    requestedSchema: { type: 'object', properties, required: ['plan'] },
  };
  return liveQuestion('plan', { method: METHOD, params }, revision).params;
}

function sampling(params: Partial<CreateMessageRequestParams>, revision: LegacyRevision): unknown {
  const given = { messages: [], maxTokens: 9, ...params };
  return liveQuestion('word', { method: SAMPLING, params: given }, revision).params;
}

describe('a form', () => {
  const PROPERTIES: Record<string, PrimitiveSchema> = {
    name: { type: 'string', minLength: 1 },
    age: { type: 'integer' },
    sure: { type: 'boolean', default: true },
    size: { type: 'string', enum: ['s', 'm'] },
  };

  it('is asked of a client of 2025-11-25 as it is', () => {
    const titled = { type: 'string', oneOf: [{ const: 's', title: 'Small' }] } as const;
    const properties = { ...PROPERTIES, titled, several: SEVERAL };
    expect(form(properties, '2025-11-25')).toEqual({
      mode: 'form',
      message: 'Your plan?',
      requestedSchema: { type: 'object', properties, required: ['plan'] },
    });
  });

  it('has no mode for a client of 2025-06-18', () => {
    expect(form(PROPERTIES, '2025-06-18')).toStrictEqual({
      message: 'Your plan?',
      requestedSchema: { type: 'object', properties: PROPERTIES, required: ['plan'] },
    });
  });

  it('has the titles of its choices beside them for a client of 2025-06-18', () => {
    const plan: PrimitiveSchema = {
      type: 'string',
      title: 'Plan',
      oneOf: [
        { const: 'g', title: 'Gold' },
        { const: 's', title: 'Silver' },
      ],
      default: 'g',
    };
    expect(form({ plan }, '2025-06-18')).toStrictEqual({
      message: 'Your plan?',
      requestedSchema: {
        type: 'object',
        properties: {
          plan: {
            type: 'string',
            title: 'Plan',
            enum: ['g', 's'],
            enumNames: ['Gold', 'Silver'],
            default: 'g',
          },
        },
        required: ['plan'],
      },
    });
  });

  it('that takes several choices has no words in 2025-06-18', () => {
    expect(() => form({ 'my "plans"': SEVERAL }, '2025-06-18')).toThrow(
      new ClientRefusalException(
        'plan',
        '"my \\"plans\\"" takes several choices, which forms of revision 2025-06-18 have not. Use a client of 2025-11-25 or later.',
      ),
    );
  });

  it('has no words in 2025-03-26', () => {
    expect(() => form({}, '2025-03-26')).toThrow(
      new ClientRefusalException(
        'plan',
        'revision 2025-03-26 has no forms. Use a client of 2025-06-18 or later.',
      ),
    );
  });
});

describe('a page to open', () => {
  it('gets an id, another each time', () => {
    const ids = [1, 2].map(() => {
      const asked = liveQuestion('page', { method: METHOD, params: PAGE }, '2025-11-25');
      expect(asked).toEqual({
        method: METHOD,
        params: { ...PAGE, elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown },
      });
      return (asked.params as { elicitationId: string }).elicitationId;
    });
    expect(new Set(ids).size).toBe(2);
  });

  it.each<LegacyRevision>(['2025-06-18', '2025-03-26'])('has no words in %s', (revision) => {
    expect(() => liveQuestion('page', { method: METHOD, params: PAGE }, revision)).toThrow(
      new ClientRefusalException(
        'page',
        `revision ${revision} has no pages to open. Use a client of 2025-11-25 or later.`,
      ),
    );
  });
});

describe('a question to a model', () => {
  const MESSAGES: SamplingMessage[] = [
    { role: 'user', content: [TEXT, IMAGE], _meta: { trace: 'x' } },
    { role: 'assistant', content: TEXT },
  ];

  it('is asked of a client of 2025-11-25 as it is', () => {
    const params = {
      messages: MESSAGES,
      maxTokens: 5,
      tools: [{ name: 'look', inputSchema: { type: 'object' as const } }],
    };
    expect(sampling(params, '2025-11-25')).toEqual(params);
  });

  it.each<LegacyRevision>(['2025-06-18', '2025-03-26'])(
    'has a message for each piece of content for a client of %s',
    (revision) => {
      const params = { messages: MESSAGES, maxTokens: 5, systemPrompt: 'Be brief.' };
      expect(sampling(params, revision)).toStrictEqual({
        messages: [
          { role: 'user', content: TEXT, _meta: { trace: 'x' } },
          { role: 'user', content: IMAGE, _meta: { trace: 'x' } },
          { role: 'assistant', content: TEXT },
        ],
        maxTokens: 5,
        systemPrompt: 'Be brief.',
      });
    },
  );

  it.each<LegacyRevision>(['2025-06-18', '2025-03-26'])(
    'that gives it tools has no words in %s',
    (revision) => {
      expect(() => sampling({ tools: [] }, revision)).toThrow(
        new ClientRefusalException(
          'word',
          `revision ${revision} has no tools of a model. Use a client of 2025-11-25 or later.`,
        ),
      );
    },
  );
});

describe('a question for the roots', () => {
  it.each(LEGACY_REVISIONS)('has no params in %s', (revision) => {
    expect(liveQuestion('roots', { method: 'roots/list' }, revision)).toStrictEqual({
      method: 'roots/list',
    });
  });
});
