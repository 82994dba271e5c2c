import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import {
  type Client,
  type JSONRPCMessage,
  ProtocolError,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import {
  McpArg,
  McpContext,
  McpExchange,
  McpExecutionContext,
  McpExtension,
  McpHandler,
  McpNotifier,
  McpPrincipalSource,
  McpPrompt,
  McpRegistry,
  McpResource,
  McpTool,
  McpToolContext,
  type PromptMessage,
} from '@dacapo/mcp';
import { z } from 'zod';
import { adapters } from '../support/adapters.js';
import { connectLegacy, type LegacyClientOptions, REVISIONS } from '../support/legacy-client.js';
import { Heard } from '../support/heard.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { resultOf, send } from '../support/wire.js';

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

class Callers extends McpPrincipalSource {
  override currentPrincipal({ headers }: McpExchange): string | null {
    return headers['x-user']?.toString() ?? null;
  }
}

class AdaOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal } = McpExecutionContext.create(context).getExchange();
    if (principal === 'ada') return true;
    throw new ForbiddenException('Ada only.');
  }
}

@Injectable()
class Guarded {
  @McpTool({ description: 'Guarded' })
  @UseGuards(AdaOnly)
  guarded(): string {
    return 'let in';
  }

  @McpTool({ description: 'Hidden', visible: ({ principal }) => principal === 'ada' })
  hidden(): string {
    return 'seen';
  }

  @McpTool({ description: 'For some', visible: ({ client }) => client.supports('sampling') })
  samples(): string {
    return 'samples';
  }

  @McpHandler()
  late(): string {
    return 'came late';
  }
}

@Injectable()
class Jobs extends McpExtension {
  override readonly identifier = 'com.example/jobs';

  override attach(): void {
    // Has nothing to attach to.
  }
}

/** What a revision without links is told instead. */
const linkIn = (revision: string): object =>
  revision === '2025-03-26' ? { type: 'text', text: 'docs://a' } : link;

/** Everything that the server sends after `initialize`, as it has sent it. */
function listenTo({ transport }: Client): JSONRPCMessage[] {
  if (transport === undefined) throw new Error('expected a client that is connected');
  const heard: JSONRPCMessage[] = [];
  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage, ...rest: []) => {
    heard.push(message);
    onmessage?.(message, ...rest);
  };
  return heard;
}

function method(name: string): object {
  return { jsonrpc: '2.0', method: `notifications/${name}` };
}

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

    /** A client whose standing stream is there, and the notifications it hears. */
    const standing = async (): Promise<{ client: Client; heard: Heard<object> }> => {
      let stands: () => void = () => undefined;
      const stood = new Promise<void>((resolve) => (stands = resolve));
      const spy: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === 'GET' && response.ok) stands();
        return response;
      };
      const heard = new Heard<object>();
      const made = await connect({
        fetch: spy,
        prepare: (one) => {
          one.fallbackNotificationHandler = async (told) => heard.listen(told);
        },
      });
      await stood;
      return { client: made, heard };
    };

    beforeAll(async () => {
      server = await startServer({
        adapter,
        mcp: {
          legacy: 'sessions',
          principalSource: { useClass: Callers },
          lists: { pageSize: 2, ttlMs: 5_000 },
        },
        providers: [Handlers, Guarded, Jobs],
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
      expect(pages).toEqual([
        ['total', 'list'],
        ['links', 'count'],
        ['talk', 'guarded'],
      ]);
      const strange = client.request({ method: 'tools/list', params: { cursor: 'x' } });
      expect(await errorOf(strange)).toMatchObject({ code: -32602 });
    });

    it('hears of progress that it asks for', async () => {
      const progress: object[] = [];
      const onprogress = (one: object): unknown => progress.push(one);
      await client.callTool({ name: 'count' }, { onprogress });
      expect(progress).toEqual([
        { progress: 1, total: 2, message: 'one' },
        { progress: 2, total: 2, message: 'two' },
      ]);
      const heard = listenTo(client);
      await client.callTool({ name: 'count' });
      expect(heard).toHaveLength(1);
    });

    it('hears of the log from its level up, once it has named one', async () => {
      const heard = listenTo(client);
      expect(await client.callTool({ name: 'talk' })).toMatchObject({
        content: [{ text: 'false' }],
      });
      expect(heard).toHaveLength(1);
      expect(await client.setLoggingLevel('info')).toEqual({});
      heard.splice(0);
      expect(await client.callTool({ name: 'talk' })).toMatchObject({
        content: [{ text: 'true' }],
      });
      expect(heard).toEqual([
        {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'warning', logger: 'shelf', data: { loud: true } },
        },
        expect.objectContaining({ result: expect.anything() as unknown }),
      ]);
      const other = await connect();
      const quiet = listenTo(other);
      await other.callTool({ name: 'talk' });
      expect(quiet).toHaveLength(1);
    });

    it('is refused a level that there is not, and keeps the one before', async () => {
      await client.setLoggingLevel('debug');
      const bad = client.request({
        method: 'logging/setLevel',
        params: { level: 'loud' },
      });
      expect(await errorOf(bad)).toMatchObject({
        code: -32602,
        message: expect.stringContaining('emergency') as string,
      });
      const heard = listenTo(client);
      await client.callTool({ name: 'talk' });
      expect(heard).toHaveLength(3);
    });

    it('is told what is not there in the codes of its revision', async () => {
      const heard = listenTo(client);
      // The official client makes an error of its own of this one.
      await errorOf(client.readResource({ uri: 'docs://none' }));
      expect(heard).toMatchObject([{ error: { code: -32002, data: { uri: 'docs://none' } } }]);
      for (const method of ['server/discover', 'subscriptions/listen', 'tasks/get', 'no/such']) {
        // As a request, the official client would not send all of them.
        await client.transport?.send({ jsonrpc: '2.0', id: method, method, params: {} });
        expect(heard.at(-1)).toMatchObject({ id: method, error: { code: -32601 } });
      }
      expect(await errorOf(client.callTool({ name: 'none' }))).toMatchObject({
        code: -32602,
        message: expect.stringContaining('none') as string,
      });
      expect(await errorOf(client.getPrompt({ name: 'none' }))).toMatchObject({ code: -32602 });
    });

    it('is sent nothing of the current revision', async () => {
      const heard = listenTo(client);
      await client.setLoggingLevel('debug');
      await client.ping();
      await client.listTools();
      await client.listPrompts();
      await client.listResources();
      await client.listResourceTemplates();
      await client.callTool({ name: 'total' });
      await client.callTool({ name: 'talk' });
      await client.getPrompt({ name: 'review', arguments: { title: 'Emma' } });
      await client.readResource({ uri: 'docs://a' });
      await client.complete({
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'tone', value: '' },
      });
      await client.subscribeResource({ uri: 'docs://a' });
      await client.unsubscribeResource({ uri: 'docs://a' });
      expect(heard.filter((message) => 'result' in message).length).toBeGreaterThan(12);
      expect(JSON.stringify(heard)).not.toMatch(
        /resultType|ttlMs|cacheScope|io\.modelcontextprotocol|"_meta"/,
      );
    });

    it('is announced no extensions', async () => {
      const announced = resultOf(await send(server.url, 'server/discover'))['capabilities'];
      expect(announced).toMatchObject({ extensions: { 'com.example/jobs': {} } });
      const texts: string[] = [];
      const spy: typeof fetch = async (...call) => {
        const response = await fetch(...call);
        if (response.headers.has('mcp-session-id')) texts.push(await response.clone().text());
        return response;
      };
      await connect({ fetch: spy });
      expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual([
        {
          jsonrpc: '2.0',
          id: 0,
          result: {
            protocolVersion: revision,
            serverInfo: { name: 'test', version: '1.0.0' },
            capabilities: {
              logging: {},
              tools: { listChanged: true },
              prompts: { listChanged: true },
              resources: { listChanged: true, subscribe: true },
              completions: {},
            },
          },
        },
      ]);
    });

    it('is held to guards', async () => {
      const stranger = await connect({ headers: { 'x-user': 'eve' } });
      const refused = await stranger.callTool({ name: 'guarded' }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(SdkHttpError);
      expect(refused).toMatchObject({
        status: 403,
        message: expect.stringContaining('Ada only.') as string,
      });
      const ada = await connect({ headers: { 'x-user': 'ada' } });
      expect(await ada.callTool({ name: 'guarded' })).toMatchObject({
        content: [{ text: 'let in' }],
      });
    });

    it('is held to rules of visibility', async () => {
      const namesFor = async (one: Client): Promise<string[]> =>
        (await one.listTools()).tools.map(({ name }) => name);
      const eve = await connect({ headers: { 'x-user': 'eve' }, capabilities: { sampling: {} } });
      const ada = await connect({ headers: { 'x-user': 'ada' } });
      expect(await namesFor(eve)).toContain('samples');
      expect(await namesFor(eve)).not.toContain('hidden');
      expect(await namesFor(ada)).toContain('hidden');
      expect(await namesFor(ada)).not.toContain('samples');
      const missing = await errorOf(eve.callTool({ name: 'nowhere' }));
      const hidden = await errorOf(eve.callTool({ name: 'hidden' }));
      expect({ ...hidden, message: hidden.message.replace('hidden', 'nowhere') }).toEqual({
        ...missing,
        message: missing.message,
      });
      expect(await ada.callTool({ name: 'hidden' })).toMatchObject({ content: [{ text: 'seen' }] });
    });

    it('hears of changes on its standing stream', async () => {
      const { heard } = await standing();
      const registry = server.app.get(McpRegistry);
      registry.addTool({ name: 'added' }, Guarded, 'late');
      try {
        expect(await heard.next(1)).toEqual([method('tools/list_changed')]);
        expect(await client.callTool({ name: 'added' })).toMatchObject({
          content: [{ text: 'came late' }],
        });
      } finally {
        registry.removeTool('added');
      }
      await heard.next(2);
      const notifier = server.app.get(McpNotifier);
      notifier.promptsChanged();
      await heard.next(3);
      notifier.resourcesChanged();
      expect((await heard.next(4)).slice(1)).toEqual(
        ['tools', 'prompts', 'resources'].map((list) => method(`${list}/list_changed`)),
      );
    });

    it('hears of resources until it does not want to any more', async () => {
      const { client: watcher, heard } = await standing();
      const notifier = server.app.get(McpNotifier);
      const updated = { ...method('resources/updated'), params: { uri: 'docs://a' } };
      notifier.resourceUpdated('docs://a');
      expect(await watcher.subscribeResource({ uri: 'docs://a' })).toEqual({});
      notifier.resourceUpdated('docs://bytes');
      notifier.resourceUpdated('docs://a');
      expect(await heard.next(1)).toEqual([updated]);
      expect(await watcher.unsubscribeResource({ uri: 'docs://a' })).toEqual({});
      notifier.resourceUpdated('docs://a');
      await watcher.ping();
      notifier.toolsChanged();
      expect(await heard.next(2)).toEqual([updated, method('tools/list_changed')]);
    });
  });
});
