import { Injectable } from '@nestjs/common';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import {
  McpArg,
  McpContext,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { z } from 'zod';
import { adapters } from '../support/adapters.js';
import { Heard } from '../support/heard.js';
import { connectLegacy, type LegacyClientOptions } from '../support/legacy-client.js';
import { startServer, type TestServer, type TestServerOptions } from '../support/test-server.js';
import { callTool, resultOf, stateOf, textOf } from '../support/wire.js';

/** What handlers have done, and how often. */
let done: string[];

@Injectable()
class Asker {
  @McpTool({ description: 'Asks' })
  async name(@McpContext() ctx: McpToolContext): Promise<string> {
    done.push(`round ${ctx.round}`);
    return JSON.stringify(await ctx.elicit('Name?', (form) => form.string('name')));
  }

  @McpTool({ description: 'Asks twice at once' })
  async pair(@McpContext() ctx: McpToolContext): Promise<string> {
    const both = await Promise.all([
      ctx.elicit('Left?', (form) => form.string('name')),
      ctx.elicit('Right?', (form) => form.string('name')),
    ]);
    return both.map((one) => (one.action === 'accept' ? one.content.name : one.action)).join(' ');
  }

  @McpTool({ description: 'Samples' })
  async sample(@McpContext() ctx: McpToolContext): Promise<string> {
    const { model, content } = await ctx.sample({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Capital' },
            { type: 'text', text: 'of France?' },
          ],
        },
      ],
      maxTokens: 10,
      includeContext: 'thisServer',
    });
    return JSON.stringify([model, content]);
  }

  @McpTool({ description: 'Lists roots' })
  async roots(@McpContext() ctx: McpToolContext): Promise<string> {
    return JSON.stringify(await ctx.listRoots());
  }

  @McpTool({ description: 'Sends to a page' })
  async page(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicitUrl('Sign in', 'https://example.com/connect')).action;
  }

  @McpTool({ description: 'Works between its questions' })
  async work(@McpContext() ctx: McpToolContext): Promise<string> {
    done.push(`round ${ctx.round}`);
    const first = await ctx.step('charge', () => done.push('charged'));
    await ctx.ask('Go on?', (form) => form.boolean('yes'));
    await ctx.step('ship', () => void done.push('shipped'));
    await ctx.ask('Wrap it?', (form) => form.boolean('yes'));
    return `${first}`;
  }

  @McpTool({ description: 'Wants an age' })
  async age(@McpContext() ctx: McpToolContext): Promise<string> {
    done.push(`round ${ctx.round}`);
    const { age } = await ctx.ask('Age?', (form) => form.integer('age', { minimum: 18 }));
    return `${age}`;
  }

  @McpTool({ description: 'Pays', once: true })
  async pay(@McpContext() ctx: McpToolContext): Promise<string> {
    const { amount } = await ctx.ask('How much?', (form) => form.integer('amount'));
    if (!(await ctx.confirm(`Pay ${amount}?`))) return 'not paid';
    done.push(`paid ${amount}`);
    return 'paid';
  }

  @McpTool({ description: 'Offers one of several' })
  async plan(@McpContext() ctx: McpToolContext): Promise<string> {
    const plans = [
      { value: 'a', title: 'Plan A' },
      { value: 'b', title: 'Plan B' },
    ];
    const { plan } = await ctx.ask('Plan?', (form) =>
      form.choice('plan', plans, { title: 'Yours' }),
    );
    return plan;
  }

  @McpTool({ description: 'Offers several' })
  async colours(@McpContext() ctx: McpToolContext): Promise<string> {
    done.push(`round ${ctx.round}`);
    const { colours } = await ctx.ask('Colours?', (form) =>
      form.choices('colours', ['red', 'blue']),
    );
    return colours.join();
  }

  @McpPrompt({ description: 'Asks' })
  async prompt(
    @McpArg('topic') topic: string,
    @McpContext() ctx: McpPromptContext,
  ): Promise<string> {
    const { name } = await ctx.ask('Name?', (form) => form.string('name'));
    return `${topic} for ${name}`;
  }

  @McpResource({ uri: 'docs://asked' })
  async doc(@McpContext() ctx: McpResourceContext): Promise<string> {
    const { name } = await ctx.ask('Name?', (form) => form.string('name'));
    return `of ${name}`;
  }

  @McpTool({ input: z.object({ to: z.string() }) })
  async trip(@McpArg('to') to: string, @McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.step('book', () => void done.push(`booked ${to}`));
    const { days } = await ctx.ask('Days?', (form) => form.integer('days'));
    await ctx.step('pay', () => void done.push(`paid ${to}`));
    const { sure } = await ctx.ask('Sure?', (form) => form.boolean('sure'));
    return `${to} ${days} ${sure} ${ctx.round}`;
  }
}

interface Question {
  readonly id: string;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

type Answer = { readonly result: object } | { readonly error: { code: number; message: string } };

/** Hears what the server asks and tells, and leaves it unanswered: nothing of the client's looks at it. */
function intercept({ transport }: Client): Heard<Question> {
  if (transport === undefined) throw new Error('expected a client that is connected');
  const heard = new Heard<Question>();
  const { onmessage } = transport;
  transport.onmessage = (message, ...rest) => {
    if ('method' in message) heard.listen(message as unknown as Question);
    else onmessage?.(message, ...rest);
  };
  return heard;
}

async function answer(client: Client, { id }: Question, given: Answer): Promise<void> {
  await client.transport?.send({ jsonrpc: '2.0', id, ...given } as never);
}

const accept = (content: object): Answer => ({ result: { action: 'accept', content } });

async function errorOf(call: Promise<unknown>): Promise<ProtocolError> {
  const error = await call.then(
    (result) => new Error(`expected an error, got ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProtocolError)) throw error;
  return error;
}

const text = (said: string): object => ({ content: [{ type: 'text', text: said }] });
const containing = (part: string): unknown => expect.stringContaining(part);

describe.each(adapters)('questions to earlier clients on %s', (_, adapter) => {
  let server: TestServer;
  let servers: TestServer[] = [];
  let clients: Client[] = [];

  const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
    const made = await startServer({
      adapter,
      providers: [Asker],
      ...options,
      mcp: { legacy: 'sessions', ...options.mcp },
    });
    servers.push(made);
    return made;
  };

  const connect = async (options: LegacyClientOptions = {}, to = server): Promise<Client> => {
    const made = await connectLegacy(to.url, { capabilities: { elicitation: {} }, ...options });
    clients.push(made);
    return made;
  };

  beforeEach(async () => {
    done = [];
    server = await start();
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(servers.map((one) => one.close()));
    clients = [];
    servers = [];
  });

  describe.each(['2025-11-25', '2025-06-18'] as const)('of %s', (revision) => {
    it.each([
      [{ action: 'accept', content: { name: 'Ada' } }],
      [{ action: 'decline' }],
      [{ action: 'cancel' }],
    ] as const)('hand on the answer %j', async (given) => {
      const asked: unknown[] = [];
      const client = await connect({
        revision,
        prepare: (made) =>
          made.setRequestHandler('elicitation/create', ({ params }) => {
            asked.push(params);
            return given;
          }),
      });
      expect(await client.callTool({ name: 'name' })).toEqual(text(JSON.stringify(given)));
      expect(asked).toMatchObject([
        { message: 'Name?', requestedSchema: { properties: { name: { type: 'string' } } } },
      ]);
      expect(done).toEqual(['round 1', 'round 2']);
    });

    it('are asked at once where they are asked together', async () => {
      const client = await connect({ revision });
      const heard = intercept(client);
      const call = client.callTool({ name: 'pair' });
      const [left, right] = (await heard.next(2)) as [Question, Question];
      expect([left.params['message'], right.params['message']]).toEqual(['Left?', 'Right?']);
      expect(left.id).not.toBe(right.id);
      await answer(client, right, accept({ name: 'b' }));
      await answer(client, left, accept({ name: 'a' }));
      expect(await call).toEqual(text('a b'));
      expect(heard.all).toHaveLength(2);
    });

    it('repeat no step from round to round', async () => {
      const client = await connect({
        revision,
        prepare: (made) =>
          made.setRequestHandler('elicitation/create', () => ({
            action: 'accept',
            content: { yes: true },
          })),
      });
      expect(await client.callTool({ name: 'work' })).toEqual(text('2'));
      expect(done).toEqual(['round 1', 'charged', 'round 2', 'shipped', 'round 3']);
      expect(await client.callTool({ name: 'work' })).toEqual(text('7'));
    });

    it('may be for the model of the client', async () => {
      const asked: unknown[] = [];
      const reply = {
        role: 'assistant',
        content: { type: 'text', text: 'Paris' },
        model: 'm',
      } as const;
      const client = await connect({
        revision,
        capabilities: { sampling: { context: {} } },
        prepare: (made) =>
          made.setRequestHandler('sampling/createMessage', ({ params }) => {
            asked.push(params);
            return reply;
          }),
      });
      expect(await client.callTool({ name: 'sample' })).toEqual(
        text(JSON.stringify(['m', reply.content])),
      );
      const pieces = [
        { type: 'text', text: 'Capital' },
        { type: 'text', text: 'of France?' },
      ];
      expect(asked).toMatchObject([
        {
          maxTokens: 10,
          includeContext: 'thisServer',
          messages:
            revision === '2025-11-25'
              ? [{ role: 'user', content: pieces }]
              : pieces.map((content) => ({ role: 'user', content })),
        },
      ]);
    });
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26'] as const)(
    'may be for the folders of a client of %s',
    async (revision) => {
      const roots = [{ uri: 'file:///home', name: 'Home' }];
      const client = await connect({
        revision,
        capabilities: { roots: {} },
        prepare: (made) => made.setRequestHandler('roots/list', () => ({ roots })),
      });
      expect(await client.callTool({ name: 'roots' })).toEqual(text(JSON.stringify(roots)));
    },
  );

  it('send a client of 2025-11-25 to a page, under an id each', async () => {
    const client = await connect({ capabilities: { elicitation: { url: {} } } });
    const heard = intercept(client);
    const calls = [client.callTool({ name: 'page' }), client.callTool({ name: 'page' })];
    const asked = await heard.next(2);
    const elicitationId = expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown;
    const params = {
      mode: 'url',
      message: 'Sign in',
      url: 'https://example.com/connect',
      elicitationId,
    };
    expect(asked.map((one) => one.params)).toEqual([params, params]);
    expect(new Set(asked.map((one) => one.params['elicitationId'])).size).toBe(2);
    for (const question of asked) await answer(client, question, { result: { action: 'accept' } });
    expect(await Promise.all(calls)).toEqual([text('accept'), text('accept')]);
  });

  it('send no client of 2025-06-18 to a page', async () => {
    const client = await connect({
      revision: '2025-06-18',
      capabilities: { elicitation: { form: {}, url: {} } },
    });
    const heard = intercept(client);
    expect(await errorOf(client.callTool({ name: 'page' }))).toMatchObject({
      code: -32600,
      data: { requiredCapabilities: { elicitation: { url: {} } } },
    });
    expect(heard.all).toEqual([]);
  });

  it.each([
    ['2025-11-25', {}],
    ['2025-06-18', {}],
    // That one had no questions to its user yet.
    ['2025-03-26', { elicitation: {} }],
  ] as const)('need what the client has declared: %s with %j', async (revision, capabilities) => {
    const client = await connect({ revision, capabilities });
    const heard = intercept(client);
    expect(await errorOf(client.callTool({ name: 'name' }))).toMatchObject({
      code: -32600,
      message: containing('not declared that in the capabilities of initialize'),
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    });
    expect(heard.all).toEqual([]);
  });

  it('are asked again, with the reasons, where the content does not fit', async () => {
    const client = await connect();
    const heard = intercept(client);
    const call = client.callTool({ name: 'age' });
    await heard.next(1);
    await answer(client, heard.all[0] as Question, accept({ age: 17 }));
    await heard.next(2);
    expect(heard.all.map(({ params }) => params['message'])).toEqual([
      'Age?',
      expect.stringMatching(/Age\?.*18/s),
    ]);
    expect(heard.all[1]?.params['requestedSchema']).toEqual(
      heard.all[0]?.params['requestedSchema'],
    );
    expect(heard.all[1]?.id).not.toBe(heard.all[0]?.id);
    await answer(client, heard.all[1] as Question, accept({ age: 18 }));
    expect(await call).toEqual(text('18'));
  });

  it('are asked as often as replay.maxAttempts says', async () => {
    const limited = await start({ mcp: { replay: { maxAttempts: 2 } } });
    const client = await connect({}, limited);
    const heard = intercept(client);
    const call = client.callTool({ name: 'age' });
    for (const nth of [1, 2]) {
      await heard.next(nth);
      await answer(client, heard.all[nth - 1] as Question, accept({ age: 'old' }));
    }
    expect(await call).toMatchObject({ isError: true, content: [{ text: containing('age') }] });
    expect(heard.all).toHaveLength(2);
  });

  it('end the call with an error that the client answers, and the handler is not played again', async () => {
    const client = await connect();
    const heard = intercept(client);
    const call = client.callTool({ name: 'age' });
    await heard.next(1);
    await answer(client, heard.all[0] as Question, {
      error: { code: -32603, message: 'The window is broken' },
    });
    expect(await errorOf(call)).toMatchObject({
      code: -32600,
      message: containing('has no answer: the client answered with the error -32603.'),
      data: { key: 'elicit-1' },
    });
    expect(done).toEqual(['round 1']);
  });

  it('end with an error beside others, which are taken back', async () => {
    const client = await connect();
    const heard = intercept(client);
    const call = client.callTool({ name: 'pair' });
    const [left, right] = (await heard.next(2)) as [Question, Question];
    await answer(client, right, { error: { code: -32603, message: 'no' } });
    expect(await errorOf(call)).toMatchObject({ code: -32600, data: { key: 'elicit-2' } });
    expect((await heard.next(3))[2]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: left.id },
    });
  });

  it('wait for replay.ttlMs, and are taken back then', async () => {
    const limited = await start({ mcp: { replay: { ttlMs: 100 } } });
    const client = await connect({}, limited);
    const heard = intercept(client);
    expect(await errorOf(client.callTool({ name: 'age' }))).toMatchObject({
      code: -32600,
      message: containing('it was not answered within 100 ms.'),
    });
    expect(heard.all).toMatchObject([
      { method: 'elicitation/create' },
      { method: 'notifications/cancelled', params: { requestId: heard.all[0]?.id } },
    ]);
    // It comes too late, and is nobody's answer.
    await answer(client, heard.all[0] as Question, accept({ age: 18 }));
    expect(await client.ping()).toEqual({});
    expect(done).toEqual(['round 1']);
  });

  it('are sessions.maxAsks at once', async () => {
    const limited = await start({ mcp: { sessions: { maxAsks: 1 } } });
    const client = await connect({}, limited);
    const heard = intercept(client);
    const tooMany = { code: -32600, message: containing('sessions.maxAsks') };
    expect(await errorOf(client.callTool({ name: 'pair' }))).toMatchObject(tooMany);
    expect(heard.all).toEqual([]);
    const call = client.callTool({ name: 'age' });
    await heard.next(1);
    expect(await errorOf(client.callTool({ name: 'age' }))).toMatchObject(tooMany);
    expect(heard.all).toHaveLength(1);
    const other = await connect({}, limited);
    const otherHeard = intercept(other);
    const otherCall = other.callTool({ name: 'age' });
    await answer(other, (await otherHeard.next(1))[0] as Question, accept({ age: 20 }));
    expect(await otherCall).toEqual(text('20'));
    await answer(client, heard.all[0] as Question, accept({ age: 30 }));
    expect(await call).toEqual(text('30'));
    const next = client.callTool({ name: 'age' });
    await answer(client, (await heard.next(2))[1] as Question, accept({ age: 40 }));
    expect(await next).toEqual(text('40'));
  });

  it('may be those of a tool whose rounds are played once', async () => {
    const client = await connect();
    const heard = intercept(client);
    const calls = [client.callTool({ name: 'pay' })];
    await heard.next(1);
    calls.push(client.callTool({ name: 'pay' }));
    await heard.next(2);
    for (const [at, amount] of [5, 7].entries()) {
      await answer(client, heard.all[at] as Question, accept({ amount }));
      await heard.next(3 + at);
    }
    const [five, seven] = heard.all.slice(2) as [Question, Question];
    expect([five.params['message'], seven.params['message']]).toEqual(['Pay 5?', 'Pay 7?']);
    const [field] = Object.keys(
      (five.params['requestedSchema'] as { properties: object }).properties,
    ) as [string];
    await answer(client, five, accept({ [field]: true }));
    await answer(client, seven, { result: { action: 'decline' } });
    expect(await Promise.all(calls)).toEqual([text('paid'), text('not paid')]);
    // What comes twice is an answer once.
    await answer(client, five, accept({ [field]: true }));
    await client.ping();
    expect(done).toEqual(['paid 5']);
  });

  it.each([
    [
      '2025-11-25',
      {
        oneOf: [
          { const: 'a', title: 'Plan A' },
          { const: 'b', title: 'Plan B' },
        ],
      },
    ],
    ['2025-06-18', { enum: ['a', 'b'], enumNames: ['Plan A', 'Plan B'] }],
  ] as const)('offer choices with titles in the words of %s', async (revision, choices) => {
    const client = await connect({ revision });
    const heard = intercept(client);
    const call = client.callTool({ name: 'plan' });
    await heard.next(1);
    expect(heard.all[0]?.params['requestedSchema']).toEqual({
      type: 'object',
      properties: { plan: { type: 'string', title: 'Yours', ...choices } },
      required: ['plan'],
    });
    await answer(client, heard.all[0] as Question, accept({ plan: 'b' }));
    expect(await call).toEqual(text('b'));
  });

  it('offer several choices where the revision has them', async () => {
    const client = await connect();
    const heard = intercept(client);
    const call = client.callTool({ name: 'colours' });
    await answer(
      client,
      (await heard.next(1))[0] as Question,
      accept({ colours: ['blue', 'red'] }),
    );
    expect(await call).toEqual(text('blue,red'));
    const earlier = await connect({ revision: '2025-06-18' });
    const nothing = intercept(earlier);
    done = [];
    expect(await errorOf(earlier.callTool({ name: 'colours' }))).toMatchObject({
      code: -32600,
      message: containing('"colours" takes several choices'),
    });
    expect(nothing.all).toEqual([]);
    expect(done).toEqual(['round 1']);
  });

  it('are asked by prompts and resources', async () => {
    const client = await connect({
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', () => ({
          action: 'accept',
          content: { name: 'Ada' },
        })),
    });
    expect(await client.getPrompt({ name: 'prompt', arguments: { topic: 'Tea' } })).toEqual({
      description: 'Asks',
      messages: [{ role: 'user', content: { type: 'text', text: 'Tea for Ada' } }],
    });
    expect(await client.readResource({ uri: 'docs://asked' })).toMatchObject({
      contents: [{ uri: 'docs://asked', text: 'of Ada' }],
    });
  });

  it('stay those of their own call, beside a conversation of the current revision', async () => {
    const client = await connect();
    const heard = intercept(client);
    const earlier = client.callTool({ name: 'trip', arguments: { to: 'Rome' } });
    const current = (rest?: Record<string, unknown>): ReturnType<typeof callTool> =>
      callTool(server.url, 'trip', { to: 'Oslo' }, rest);
    await heard.next(1);
    const first = await current();
    expect(resultOf(first)).toMatchObject({ resultType: 'input_required' });
    await answer(client, heard.all[0] as Question, accept({ days: 3 }));
    await heard.next(2);
    const second = await current({
      requestState: stateOf(first),
      inputResponses: { 'elicit-1': { action: 'accept', content: { days: 5 } } },
    });
    const third = await current({
      requestState: stateOf(second),
      inputResponses: { 'elicit-2': { action: 'accept', content: { sure: false } } },
    });
    expect(textOf(third)).toBe('Oslo 5 false 3');
    await answer(client, heard.all[1] as Question, accept({ sure: true }));
    expect(await earlier).toEqual(text('Rome 3 true 3'));
    expect(done).toEqual(['booked Rome', 'booked Oslo', 'paid Rome', 'paid Oslo']);
  });
});
