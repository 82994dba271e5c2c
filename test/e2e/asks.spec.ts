import { Injectable } from '@nestjs/common';
import { McpContext, McpElicitor, McpProgressSource, McpTool, McpToolContext } from '@dacapo/mcp';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, stateOf, textOf } from '../support/wire.js';

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

  @McpTool({ description: 'Mistakes' })
  async mistakes(@McpContext() ctx: McpToolContext): Promise<string> {
    const image = { type: 'image' as const, data: '', mimeType: 'image/png' };
    const asks: (() => Promise<unknown>)[] = [
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

describe('Questions of every kind', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ providers: [Asker] });
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
    ['page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['samples', { elicitation: {} }, { sampling: {} }],
    ['roots', { sampling: {} }, { roots: {} }],
    ['withTools', { sampling: {} }, { sampling: { tools: {} } }],
    ['withContext', { sampling: {} }, { sampling: { context: {} } }],
  ])('need the capability of their kind: %s with %j', async (name, capabilities, required) => {
    const response = await callTool(
      server.url,
      name,
      {},
      {},
      { meta: { [CAPABILITIES]: capabilities } },
    );
    expect(errorOf(response)).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: required },
    });
  });

  it.each([['withTools'], ['withContext']])('may ask for more of sampling: %s', async (name) => {
    const first = await callTool(server.url, name, {}, {}, everything);
    expect(Object.keys(resultOf(first).inputRequests ?? {})).toEqual(['sample-1']);
  });

  it('that nobody should be asked are refused with the mend', async () => {
    const lines = (textOf(await callTool(server.url, 'mistakes', {}, {}, everything)) ?? '').split(
      '\n',
    );
    expect(lines).toEqual([
      expect.stringContaining('is not absolute. Give it a scheme and a host'),
      expect.stringContaining('Use https; http is for loopback only'),
      expect.stringContaining('Use https; http is for loopback only'),
      expect.stringContaining('carries credentials'),
      expect.stringContaining('has no messages'),
      expect.stringContaining('maxTokens above 0'),
    ]);
  });
});
