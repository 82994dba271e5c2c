import { Injectable } from '@nestjs/common';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { Heard } from '../support/heard.js';
import { connectLegacy, type LegacyClientOptions } from '../support/legacy-client.js';
import { startServer, type TestServer, type TestServerOptions } from '../support/test-server.js';

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
});
