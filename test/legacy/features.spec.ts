import { Injectable } from '@nestjs/common';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import {
  McpArg,
  McpContext,
  McpPrompt,
  McpResource,
  McpTool,
  McpToolContext,
  type PromptMessage,
} from '@dacapo/mcp';
import { z } from 'zod';
import { adapters } from '../support/adapters.js';
import { connectLegacy, type LegacyClientOptions, REVISIONS } from '../support/legacy-client.js';
import { startServer, type TestServer } from '../support/test-server.js';

const link = {
  type: 'resource_link' as const,
  uri: 'docs://a',
  name: 'a',
  mimeType: 'text/plain',
};

@Injectable()
class Handlers {
  @McpTool({ output: z.object({ total: z.number() }) })
  total(): object {
    return { total: 3 };
  }

  @McpTool({ output: { type: 'array', items: { type: 'number' } } })
  list(): number[] {
    return [1, 2];
  }

  @McpTool()
  links(): object[] {
    return [{ type: 'text', text: 'See' }, link];
  }

  @McpTool()
  count(@McpContext() ctx: McpToolContext): string {
    const progress = ctx.countingProgress(2);
    progress.next('one');
    progress.next('two');
    return 'counted';
  }

  @McpTool()
  talk(@McpContext() ctx: McpToolContext): string {
    ctx.log.debug('quiet');
    ctx.log.warning({ loud: true }, 'shelf');
    return `${ctx.log.isEnabled('emergency')}`;
  }

  @McpPrompt({ description: 'Reviews' })
  review(
    @McpArg('title', { description: 'Of the book' }) title: string,
    @McpArg('tone', { complete: ['kind', 'strict'], required: false }) tone = 'kind',
  ): PromptMessage[] {
    return [
      { role: 'user', content: { type: 'text', text: `${tone}: ${title}` } },
      { role: 'assistant', content: link },
    ];
  }

  @McpResource({
    uri: 'docs://a',
    mimeType: 'text/plain',
    cache: { ttlMs: 9_000, scope: 'public' },
  })
  doc(): string {
    return 'text';
  }

  @McpResource({ uri: 'docs://bytes', mimeType: 'image/png' })
  bytes(): Uint8Array {
    return Uint8Array.of(1, 2);
  }

  @McpResource({ uriTemplate: 'books://{slug}' })
  book(@McpArg('slug', { complete: ['emma', 'walden'] }) slug: string): string {
    return `The text of ${slug}`;
  }
}

/** What a revision without links is told instead. */
const linkIn = (revision: string): object =>
  revision === '2025-03-26' ? { type: 'text', text: 'docs://a' } : link;

async function errorOf(call: Promise<unknown>): Promise<{ code: number; message: string }> {
  const error = await call.then(
    (result) => new Error(`expected an error, got ${JSON.stringify(result)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProtocolError)) throw error;
  return error;
}

describe.each(adapters)('on %s', (_, adapter) => {
  describe.each(REVISIONS)('a client of %s', (revision) => {
    let server: TestServer;
    let client: Client;
    const open: Client[] = [];

    const connect = async (options: LegacyClientOptions = {}): Promise<Client> => {
      const made = await connectLegacy(server.url, { revision, ...options });
      open.push(made);
      return made;
    };

    beforeAll(async () => {
      server = await startServer({
        adapter,
        mcp: { legacy: 'sessions', lists: { pageSize: 2, ttlMs: 5_000 } },
        providers: [Handlers],
      });
    });
    beforeEach(async () => {
      client = await connect();
    });
    afterEach(() => Promise.all(open.splice(0).map((one) => one.close())));
    afterAll(() => server.close());

    it('gets structured content where it is an object, and its schema', async () => {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'total')?.outputSchema).toMatchObject({
        type: 'object',
        properties: { total: { type: 'number' } },
      });
      expect(await client.callTool({ name: 'total' })).toEqual({
        content: [{ type: 'text', text: '{"total":3}' }],
        structuredContent: { total: 3 },
      });
    });

    it('gets the text of other structured content', async () => {
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'list')).toEqual({
        name: 'list',
        inputSchema: expect.objectContaining({ type: 'object' }) as unknown,
      });
      expect(await client.callTool({ name: 'list' })).toEqual({
        content: [{ type: 'text', text: '[1,2]' }],
      });
    });

    it('gets links as its revision has them', async () => {
      expect(await client.callTool({ name: 'links' })).toEqual({
        content: [{ type: 'text', text: 'See' }, linkIn(revision)],
      });
    });

    it('gets prompts', async () => {
      expect(await client.listPrompts()).toEqual({
        prompts: [
          {
            name: 'review',
            description: 'Reviews',
            arguments: [
              { name: 'title', description: 'Of the book', required: true },
              { name: 'tone', required: false },
            ],
          },
        ],
      });
      const got = await client.getPrompt({ name: 'review', arguments: { title: 'Emma' } });
      expect(got.messages).toEqual([
        { role: 'user', content: { type: 'text', text: 'kind: Emma' } },
        { role: 'assistant', content: linkIn(revision) },
      ]);
      expect(await errorOf(client.getPrompt({ name: 'review' }))).toMatchObject({
        code: -32602,
        message: expect.stringContaining('title') as string,
      });
    });

    it('gets resources and templates', async () => {
      const { resources } = await client.listResources();
      expect(resources).toEqual([
        { uri: 'docs://a', name: 'doc', mimeType: 'text/plain' },
        { uri: 'docs://bytes', name: 'bytes', mimeType: 'image/png' },
      ]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates).toEqual([{ uriTemplate: 'books://{slug}', name: 'book' }]);
      expect(await client.readResource({ uri: 'docs://a' })).toEqual({
        contents: [{ uri: 'docs://a', mimeType: 'text/plain', text: 'text' }],
      });
      expect(await client.readResource({ uri: 'docs://bytes' })).toEqual({
        contents: [{ uri: 'docs://bytes', mimeType: 'image/png', blob: 'AQI=' }],
      });
      expect((await client.readResource({ uri: 'books://emma' })).contents).toMatchObject([
        { uri: 'books://emma', text: 'The text of emma' },
      ]);
    });

    it('is offered values', async () => {
      const ofPrompt = await client.complete({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'tone', value: 's' },
      });
      expect(ofPrompt.completion.values).toEqual(['strict']);
      const ofTemplate = await client.complete({
        ref: { type: 'ref/resource', uri: 'books://{slug}' },
        argument: { name: 'slug', value: 'e' },
      });
      expect(ofTemplate.completion.values[0]).toBe('emma');
    });

    it('turns pages', async () => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request({
          method: 'tools/list',
          params: { ...(cursor !== undefined && { cursor }) },
        });
        pages.push(page.tools.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(pages).toEqual([['total', 'list'], ['links', 'count'], ['talk']]);
      const strange = client.request({ method: 'tools/list', params: { cursor: 'x' } });
      expect(await errorOf(strange)).toMatchObject({ code: -32602 });
    });
  });
});
