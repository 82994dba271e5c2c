import { Injectable } from '@nestjs/common';
import {
  McpContext,
  McpElicit,
  McpElicitor,
  McpProgressSource,
  McpPrompt,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
  type SamplingMessage,
} from '@dacapo/mcp';
import { connect } from '../support/official-client.js';
import { adapters } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, stateOf, textOf } from '../support/wire.js';

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const everything = {
  meta: {
    [CAPABILITIES]: {
      elicitation: { form: {}, url: {} },
      sampling: { tools: {}, context: {} },
      roots: {},
    },
  },
};

const capital = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Capital?' } }],
  maxTokens: 10,
};

const paris = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };

@Injectable()
class Asker {
  constructor(
    private readonly elicitor: McpElicitor,
    private readonly progress: McpProgressSource,
  ) {}

  @McpTool({ description: 'Every kind in one round' })
  async all(@McpContext() ctx: McpToolContext): Promise<string> {
    const [form, url, sample, roots] = await Promise.all([
      ctx.elicit('Name?', (f) => f.string('name')),
      ctx.elicitUrl('Sign in', 'https://example.com/connect'),
      ctx.sample(capital),
      ctx.listRoots({ key: 'folders' }),
    ]);
    const { content } = sample;
    return JSON.stringify([form.action, url, content, roots]);
  }

  @McpTool({ description: 'Through the services' })
  async ambient(): Promise<string> {
    this.progress.absoluteProgress(2).to(1);
    this.progress.countingProgress().next();
    this.progress.percentageProgress().to(0.5);
    const [url, sample, roots] = await Promise.all([
      this.elicitor.elicitUrl('Sign in', 'http://localhost:1/connect', { key: 'sign-in' }),
      this.elicitor.sample(capital, { key: 'capital' }),
      this.elicitor.listRoots(),
    ]);
    return `${url.action} ${sample.model} ${roots.length}`;
  }

  @McpTool({ description: 'Sends to a page' })
  async page(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicitUrl('Sign in', 'https://example.com/connect')).action;
  }

  @McpTool({ description: 'Sends to a page whose url reads like another' })
  async oddUrl(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicitUrl('Go', ' https://EXAMPLE.com\\@evil.example/')).action;
  }

  @McpTool({ description: 'Samples' })
  async samples(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.sample(capital)).model;
  }

  @McpTool({ description: 'Lists roots' })
  async roots(@McpContext() ctx: McpToolContext): Promise<string> {
    return String((await ctx.listRoots()).length);
  }

  @McpTool({ description: 'Samples with tools' })
  async withTools(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.sample({ ...capital, toolChoice: { mode: 'none' } })).model;
  }

  @McpTool({ description: 'Samples with context' })
  async withContext(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.sample({ ...capital, includeContext: 'thisServer' })).model;
  }

  @McpTool({ description: 'Samples with tools and context' })
  async withBoth(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.sample({ ...capital, tools: [], includeContext: 'allServers' })).model;
  }

  @McpTool({ description: 'Asks in form mode' })
  async form(@McpContext() ctx: McpToolContext): Promise<string> {
    return (await ctx.elicit('Name?', (f) => f.string('name'))).action;
  }

  @McpTool({ description: 'Asks the same of each kind twice' })
  async twice(@McpContext() ctx: McpToolContext): Promise<string> {
    const asks = ['named', undefined].flatMap((key) => [
      ctx.sample(capital, { key }),
      ctx.sample(capital, { key }),
      ctx.listRoots({ key }),
      ctx.listRoots({ key }),
      ctx.elicitUrl('Sign in', 'https://example.com/', { key }),
      ctx.elicitUrl('Sign in', 'https://example.com/', { key }),
    ]);
    return JSON.stringify((await Promise.all(asks)).map((answer) => Object.keys(answer)));
  }

  @McpTool({ description: 'Asks with another kind when it is played again' })
  async changes(@McpContext() ctx: McpToolContext): Promise<string> {
    await (ctx.round === 1 ? ctx.listRoots({ key: 'same' }) : ctx.sample(capital, { key: 'same' }));
    return 'never';
  }

  @McpTool({ description: 'Asks whatever the client can do' })
  async chooses(@McpContext() ctx: McpToolContext): Promise<string> {
    if (ctx.client.supports('sampling')) return (await ctx.sample(capital)).model;
    if (ctx.client.supports('roots')) return String((await ctx.listRoots()).length);
    if (ctx.client.supports('elicitation.url')) {
      return (await ctx.elicitUrl('Go', 'https://example.com/')).action;
    }
    return 'asked nobody';
  }

  @McpTool({ description: 'Lets the model use tools until it is done' })
  async loop(@McpContext() ctx: McpToolContext): Promise<string> {
    const messages: SamplingMessage[] = [...capital.messages];
    for (;;) {
      const answer = await ctx.sample({ messages, maxTokens: 10, tools: [] });
      const uses = [answer.content].flat().filter((block) => block.type === 'tool_use');
      if (uses.length === 0) return JSON.stringify(answer.content);
      messages.push(
        { role: answer.role, content: answer.content },
        {
          role: 'user',
          content: uses.map(({ id }) => ({ type: 'tool_result', toolUseId: id, content: [] })),
        },
      );
    }
  }

  @McpPrompt({ description: 'Samples' })
  async sampled(@McpElicit() elicitor: McpElicitor): Promise<string> {
    return (await elicitor.sample(capital)).model;
  }

  @McpResource({ uri: 'docs://roots' })
  async rooted(@McpContext() ctx: McpResourceContext): Promise<string> {
    const [roots, url] = await Promise.all([
      ctx.listRoots(),
      ctx.elicitUrl('Sign in', 'https://example.com/'),
    ]);
    return `${roots.length} ${url.action}`;
  }

  @McpTool({ description: 'Mistakes' })
  async mistakes(@McpContext() ctx: McpToolContext): Promise<string> {
    const image = { type: 'image' as const, data: '', mimeType: 'image/png' };
    const use = { type: 'tool_use' as const, id: '1', name: 'weather', input: {} };
    const outcome = { type: 'tool_result' as const, toolUseId: '1', content: [] };
    const text = { type: 'text' as const, text: 'x' };
    const sample =
      (...messages: SamplingMessage[]): (() => Promise<unknown>) =>
      () =>
        ctx.sample({ messages, maxTokens: 1 });
    const asks: (() => Promise<unknown>)[] = [
      () => ctx.elicitUrl(' ', 'https://example.com/'),
      sample({ role: 'assistant', content: use }, { role: 'user', content: [outcome, text] }),
      sample({ role: 'assistant', content: use }, { role: 'assistant', content: outcome }),
      sample({ role: 'user', content: use }),
      sample({ role: 'assistant', content: [use, text] }, { role: 'user', content: text }),
      sample(
        { role: 'assistant', content: [use, { ...use, id: '2' }] },
        { role: 'user', content: outcome },
      ),
      sample({ role: 'assistant', content: use }),
      sample({ role: 'user', content: [outcome] }),
      () => ctx.elicitUrl('Go', 'not a url'),
      () => ctx.elicitUrl('Go', 'http://example.com/'),
      () => ctx.elicitUrl('Go', 'javascript:alert(1)'),
      () => ctx.elicitUrl('Go', 'https://user:pass@example.com/'),
      () => ctx.sample({ messages: [], maxTokens: 1 }),
      () => ctx.sample({ messages: [{ role: 'user', content: image }], maxTokens: 0 }),
    ];
    const messages: string[] = [];
    for (const ask of asks) {
      await ask().catch((error: unknown) => messages.push((error as Error).message));
    }
    return messages.join('\n');
  }
}

describe.each(adapters)('Questions of every kind on %s', (_, adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Asker] });
  });
  afterAll(() => server.close());

  it('travel in one round, each under the key of its kind, and are played in the next', async () => {
    const first = await callTool(server.url, 'all', {}, {}, everything);
    expect(resultOf(first).inputRequests).toEqual({
      'elicit-1': expect.objectContaining({ method: 'elicitation/create' }) as unknown,
      'elicit-2': {
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Sign in', url: 'https://example.com/connect' },
      },
      'sample-1': { method: 'sampling/createMessage', params: capital },
      folders: { method: 'roots/list', params: {} },
    });
    const second = await callTool(
      server.url,
      'all',
      {},
      {
        requestState: stateOf(first),
        inputResponses: {
          'elicit-1': { action: 'decline' },
          'elicit-2': { action: 'accept', content: { smuggled: 'x' } },
          'sample-1': paris,
          folders: { roots: [{ uri: 'file:///home', name: 'Home' }] },
        },
      },
      everything,
    );
    expect(JSON.parse(textOf(second) ?? '')).toEqual([
      'decline',
      { action: 'accept' },
      { type: 'text', text: 'Paris' },
      [{ uri: 'file:///home', name: 'Home' }],
    ]);
  });

  it('are asked by services too', async () => {
    const first = await callTool(server.url, 'ambient', {}, {}, everything);
    const second = await callTool(
      server.url,
      'ambient',
      {},
      {
        requestState: stateOf(first),
        inputResponses: {
          'sign-in': { action: 'cancel' },
          capital: paris,
          'roots-1': { roots: [] },
        },
      },
      everything,
    );
    expect(textOf(second)).toBe('cancel m 0');
  });

  it('must be answered in kind', async () => {
    const first = await callTool(server.url, 'all', {}, {}, everything);
    const retry = await callTool(
      server.url,
      'all',
      {},
      { requestState: stateOf(first), inputResponses: { 'sample-1': { action: 'accept' } } },
      everything,
    );
    expect(errorOf(retry).data).toMatchObject({ reason: 'answer_wrong_kind', key: 'sample-1' });
  });

  it.each([
    ['form', {}, { elicitation: { form: {} } }],
    ['form', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['page', {}, { elicitation: { url: {} } }],
    ['page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['samples', { elicitation: {} }, { sampling: {} }],
    ['roots', { sampling: {} }, { roots: {} }],
    ['withTools', { sampling: {} }, { sampling: { tools: {} } }],
    ['withContext', { sampling: {} }, { sampling: { context: {} } }],
    ['withBoth', { sampling: {} }, { sampling: { tools: {}, context: {} } }],
    ['withBoth', {}, { sampling: { tools: {}, context: {} } }],
    ['withBoth', { sampling: { tools: {} } }, { sampling: { context: {} } }],
  ])('need the capability of their kind: %s with %j', async (name, capabilities, required) => {
    const response = await callTool(
      server.url,
      name,
      {},
      {},
      { meta: { [CAPABILITIES]: capabilities } },
    );
    expect(response.status).toBe(400);
    const { code, data } = errorOf(response);
    expect(code).toBe(-32021);
    expect(data).toEqual({ requiredCapabilities: required });
  });

  it.each([['withTools'], ['withContext']])('may ask for more of sampling: %s', async (name) => {
    const first = await callTool(server.url, name, {}, {}, everything);
    expect(Object.keys(resultOf(first).inputRequests ?? {})).toEqual(['sample-1']);
  });

  it('repeat the keys they are given, and count those they are not, each kind for itself', async () => {
    const first = await callTool(server.url, 'twice', {}, {}, everything);
    const methods = Object.entries(resultOf(first).inputRequests ?? {}).map(
      ([key, { method }]) => `${key} ${method}`,
    );
    expect(methods).toEqual([
      'named sampling/createMessage',
      'named:2 sampling/createMessage',
      'named:3 roots/list',
      'named:4 roots/list',
      'named:5 elicitation/create',
      'named:6 elicitation/create',
      'sample-1 sampling/createMessage',
      'sample-2 sampling/createMessage',
      'roots-1 roots/list',
      'roots-2 roots/list',
      'elicit-1 elicitation/create',
      'elicit-2 elicitation/create',
    ]);
  });

  it('are answered one by one, and the rest is asked again', async () => {
    const first = await callTool(server.url, 'all', {}, {}, everything);
    const second = await callTool(
      server.url,
      'all',
      {},
      { requestState: stateOf(first), inputResponses: { 'sample-1': paris } },
      everything,
    );
    expect(Object.keys(resultOf(second).inputRequests ?? {})).toEqual([
      'elicit-1',
      'elicit-2',
      'folders',
    ]);
    const third = await callTool(
      server.url,
      'all',
      {},
      {
        requestState: stateOf(second),
        inputResponses: {
          folders: { roots: [] },
          'elicit-1': { action: 'cancel' },
          'elicit-2': { action: 'decline' },
        },
      },
      everything,
    );
    expect(JSON.parse(textOf(third) ?? '')).toEqual([
      'cancel',
      { action: 'decline' },
      { type: 'text', text: 'Paris' },
      [],
    ]);
  });

  it('keep their kind from round to round', async () => {
    const first = await callTool(server.url, 'changes', {}, {}, everything);
    const second = await callTool(
      server.url,
      'changes',
      {},
      { requestState: stateOf(first), inputResponses: { same: { roots: [] } } },
      everything,
    );
    expect(errorOf(second)).toMatchObject({
      code: -32602,
      data: { reason: 'ledger_mismatch', key: 'same' },
    });
  });

  it.each([
    [{ sampling: {}, roots: {} }, ['sample-1']],
    [{ roots: {}, elicitation: { url: {} } }, ['roots-1']],
    [{ elicitation: { url: {} } }, ['elicit-1']],
  ])('are chosen by what the client can do: %j', async (capabilities, keys) => {
    const response = await callTool(
      server.url,
      'chooses',
      {},
      {},
      { meta: { [CAPABILITIES]: capabilities } },
    );
    expect(Object.keys(resultOf(response).inputRequests ?? {})).toEqual(keys);
  });

  it('need not be asked at all', async () => {
    expect(textOf(await callTool(server.url, 'chooses'))).toBe('asked nobody');
  });

  it('are asked by prompts and resources too', async () => {
    const prompt = await send(server.url, 'prompts/get', { name: 'sampled' }, everything);
    expect(Object.keys(resultOf(prompt).inputRequests ?? {})).toEqual(['sample-1']);
    const filled = await send(
      server.url,
      'prompts/get',
      {
        name: 'sampled',
        requestState: stateOf(prompt),
        inputResponses: { 'sample-1': paris },
      },
      everything,
    );
    expect(resultOf(filled)['messages']).toMatchObject([{ content: { text: 'm' } }]);

    const uri = 'docs://roots';
    const resource = await send(server.url, 'resources/read', { uri }, everything);
    const read = await send(
      server.url,
      'resources/read',
      {
        uri,
        requestState: stateOf(resource),
        inputResponses: {
          'roots-1': { roots: [{ uri: 'file:///a' }] },
          'elicit-1': { action: 'accept' },
        },
      },
      everything,
    );
    expect(resultOf(read)['contents']).toMatchObject([{ text: '1 accept' }]);
  });

  it.each([
    ['samples', 'sample-1', { role: 'assistant', content: { type: 'text' }, model: 'm' }],
    ['roots', 'roots-1', { roots: [{ uri: 'https://example.com/' }] }],
  ])('do not let a handler see half an answer: %s', async (name, key, answer) => {
    const first = await callTool(server.url, name, {}, {}, everything);
    const retry = await callTool(
      server.url,
      name,
      {},
      { requestState: stateOf(first), inputResponses: { [key]: answer } },
      everything,
    );
    expect(errorOf(retry).data).toEqual({ reason: 'answer_malformed', key });
  });

  it('are answered by the official client, the rounds of a tool loop too', async () => {
    const { [CAPABILITIES]: capabilities } = everything.meta;
    const client = await connect(server.url, {
      capabilities,
      answer: () => ({ action: 'decline' }),
    });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    client.setRequestHandler('sampling/createMessage', ({ params }) =>
      params.tools === undefined || params.messages.length > 1
        ? { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' }
        : {
            role: 'assistant',
            content: [{ type: 'tool_use', id: '1', name: 'atlas', input: {} }],
            model: 'm',
            stopReason: 'toolUse',
          },
    );
    const text = { type: 'text', text: 'Paris' };
    const all = await client.callTool({ name: 'all', arguments: {} });
    expect(JSON.parse((all.content as { text: string }[])[0]?.text ?? '')).toEqual([
      'decline',
      { action: 'decline' },
      text,
      [{ uri: 'file:///home' }],
    ]);
    const loop = await client.callTool({ name: 'loop', arguments: {} });
    expect(JSON.parse((loop.content as { text: string }[])[0]?.text ?? '')).toEqual(text);
    await client.close();
  });

  it('show the user the url that is opened', async () => {
    const { url } = server;
    const response = await callTool(url, 'oddUrl', {}, {}, everything);
    expect(resultOf(response).inputRequests?.['elicit-1']?.params).toMatchObject({
      url: 'https://example.com/@evil.example/',
    });
  });

  it('that nobody should be asked are refused with the mend', async () => {
    const lines = (textOf(await callTool(server.url, 'mistakes', {}, {}, everything)) ?? '').split(
      '\n',
    );
    const unmatched = expect.stringContaining('are not those whose results it gives') as string;
    expect(lines).toEqual([
      expect.stringContaining('has no message'),
      expect.stringContaining('Message 2 of a request for sampling mixes tool results'),
      expect.stringContaining('Message 2 of a request for sampling mixes tool results'),
      expect.stringContaining('Message 1 of a request for sampling has the user use a tool'),
      unmatched,
      unmatched,
      unmatched,
      unmatched,
      expect.stringContaining('is not absolute. Give it a scheme and a host'),
      expect.stringContaining('Use https; http is for loopback only'),
      expect.stringContaining('Use https; http is for loopback only'),
      expect.stringContaining('carries credentials'),
      expect.stringContaining('has no messages'),
      expect.stringContaining('maxTokens above 0'),
    ]);
  });
});
