import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import {
  type CallHandler,
  Catch,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
  UseFilters,
  UseInterceptors,
} from '@nestjs/common';
import { concat, EMPTY, map, NEVER, Observable, of, tap } from 'rxjs';
import {
  type CallToolResult,
  type ContentBlock,
  type EmbeddedResource,
  type GetPromptResult,
  type ImageContent,
  McpContext,
  McpElicitor,
  McpFile,
  type McpProgress,
  McpPrompt,
  McpResource,
  type McpResourceContext,
  McpTool,
  McpToolContext,
  type PromptMessage,
  type ResourceLink,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  errorOf,
  eventsOf,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireResponse,
} from '../support/wire.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const PNG64 = PNG.toString('base64');
const LATIN = Buffer.from('größe', 'latin1');
const MAX_RESULT_BYTES = 1_000;

/** What happened, in order. */
let trace: string[];
/** The stream a handler has returned last. */
let stream: PassThrough;
let opened: Promise<unknown>;
let open: () => void;

function endless(): PassThrough {
  stream = new PassThrough();
  open();
  return stream;
}

/** Fails as a file does that is not there: by and by, whether it is read or not. */
function unopened(): Readable {
  return new Readable({
    construct: (opened) => void setImmediate(opened, new Error('password is hunter2')),
  });
}

/** Hands on what it sees. */
@Injectable()
class Watches implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      tap((value) => {
        trace.push(value instanceof McpFile ? `${value.name} is ${value.mimeType}` : String(value));
      }),
    );
  }
}

@Injectable()
class Streams implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      map((value) =>
        value === 'fail'
          ? new Readable({
              read() {
                this.destroy(new Error('password is hunter2'));
              },
            })
          : Readable.from([`${String(value)}, `, 'streamed']),
      ),
    );
  }
}

@Catch()
class Answers implements ExceptionFilter {
  catch(): Observable<string> {
    return of('first', 'filtered');
  }
}

@Injectable()
class Desk {
  constructor(private readonly elicitor: McpElicitor) {}

  async *steps(): AsyncGenerator<McpProgress, string> {
    trace.push('begins');
    try {
      yield { progress: 1, total: 2, message: 'Looked it up' };
      const answer = await this.elicitor.elicit('Go on?', (form) => form.boolean('yes'));
      yield { progress: 2, total: 2, message: 'Heard' };
      return `went on: ${answer.action}`;
    } finally {
      trace.push('ends');
    }
  }
}

@Injectable()
class Tools {
  constructor(private readonly desk: Desk) {}

  @McpTool() nothing(): void {
    // Returns nothing.
  }

  @McpTool() text(): string {
    return 'hello';
  }

  @McpTool() async promise(): Promise<string> {
    return 'promised';
  }

  @McpTool() observable(): Observable<string> {
    return of('first', 'last');
  }

  @McpTool() emptyObservable(): Observable<never> {
    return EMPTY;
  }

  @McpTool() async promisedObservable(): Promise<Observable<unknown>> {
    return of(Readable.from(['a stream ', 'of an Observable']));
  }

  @McpTool() object(): object {
    return { at: new Date(0), ids: [1] };
  }

  @McpTool() image(): ImageContent {
    return { type: 'image', data: PNG64, mimeType: 'image/png' };
  }

  @McpTool() link(): ResourceLink {
    return { type: 'resource_link', uri: 'docs://a', name: 'a' };
  }

  @McpTool() embedded(): EmbeddedResource {
    return { type: 'resource', resource: { uri: 'docs://a', text: 'x' } };
  }

  @McpTool() mixed(): (string | ContentBlock)[] {
    return ['An image:', this.image()];
  }

  @McpTool() whole(): CallToolResult {
    return {
      content: [this.image()],
      structuredContent: { a: 1 },
      isError: true,
    } as CallToolResult;
  }

  @McpTool({ mimeType: 'image/png' }) buffer(): Buffer {
    return PNG;
  }

  @McpTool({ mimeType: 'audio/wav' }) typedArray(): Uint8Array {
    return new Uint8Array(PNG);
  }

  @McpTool({ mimeType: 'text/plain; charset=iso-8859-1' }) latin(): Readable {
    return Readable.from([LATIN.subarray(0, 3), LATIN.subarray(3)]);
  }

  @McpTool() webStream(): ReadableStream {
    return new Blob(['web']).stream();
  }

  @McpTool() blob(): Blob {
    return new Blob([PNG], { type: 'image/png' });
  }

  @McpTool() file(): File {
    return new File([PNG], 'a b.pdf', { type: 'application/pdf' });
  }

  @McpTool()
  @UseInterceptors(Watches)
  streamable(): StreamableFile {
    return new StreamableFile(Readable.from([PNG]), {
      type: 'application/pdf',
      disposition: 'attachment; filename="report.pdf"',
    });
  }

  @McpTool() async *chunks(): AsyncGenerator<string> {
    yield 'Hel';
    yield 'lo';
  }

  @McpTool() async *blocks(): AsyncGenerator<string | ContentBlock> {
    yield 'An image:';
    yield this.image();
  }

  @McpTool() async *rows(): AsyncGenerator<object> {
    yield { id: 1 };
    yield { id: 2 };
  }

  @McpTool() *chunksNow(): Generator<string> {
    try {
      yield 'Hel';
      yield 'lo';
    } finally {
      trace.push('ends');
    }
  }

  @McpTool() *stepsNow(): Generator<McpProgress, object> {
    yield { progress: 1, total: 2 };
    yield { progress: 2, total: 2 };
    return { done: true };
  }

  @McpTool() steps(): AsyncGenerator<McpProgress, string> {
    return this.desk.steps();
  }

  @McpTool() async *asksFirst(@McpContext() ctx: McpToolContext): AsyncGenerator<string> {
    const answer = await ctx.elicit('Which?', (form) => form.string('which'));
    yield 'It is ';
    if (answer.action === 'accept') yield answer.content.which;
  }

  @McpTool() broken(): object {
    return { type: 'image', data: PNG64 };
  }

  @McpTool() unknownBlock(): object {
    return { content: [{ type: 'video', data: PNG64, mimeType: 'video/mp4' }] };
  }

  @McpTool() bigint(): object {
    return { accounts: [{ balance: 1n }] };
  }

  @McpTool() map(): object {
    return new Map([['a', 1]]);
  }

  @McpTool() set(): object {
    return { ids: new Set([1]) };
  }

  @McpTool() circle(): object {
    const owner: Record<string, unknown> = {};
    owner['self'] = owner;
    return owner;
  }

  @McpTool() function(): () => void {
    return () => undefined;
  }

  @McpTool() failingStream(): Readable {
    return new Readable({
      read() {
        this.destroy(new Error('password is hunter2'));
      },
    });
  }

  @McpTool() async *failing(): AsyncGenerator<string> {
    yield 'x';
    throw new Error('password is hunter2');
  }

  @McpTool() severalFailing(): Readable[] {
    const first = new PassThrough();
    const missing = unopened();
    missing.on('close', () => first.end('x'));
    return [first, missing];
  }

  @McpTool() severalTooLarge(): unknown[] {
    const missing = unopened();
    missing.on('close', open);
    return [Buffer.alloc(MAX_RESULT_BYTES + 1), missing];
  }

  @McpTool() tooLarge(): PassThrough {
    const returned = endless();
    returned.write(Buffer.alloc(MAX_RESULT_BYTES + 1));
    return returned;
  }

  @McpTool() endless(): PassThrough {
    return endless();
  }

  @McpTool({ timeoutMs: 20 }) timed(): PassThrough {
    return endless();
  }

  @McpTool() subscribed(): Observable<string> {
    return concat(of('first'), NEVER).pipe(
      (source) =>
        new Observable((subscriber) => {
          const subscription = source.subscribe(subscriber);
          open();
          return () => {
            subscription.unsubscribe();
            stream.destroy();
          };
        }),
    );
  }

  @McpTool()
  @UseInterceptors(Streams)
  streamedByInterceptor(): string {
    return 'handled';
  }

  @McpTool()
  @UseInterceptors(Streams)
  failedByInterceptor(): string {
    return 'fail';
  }

  @McpTool()
  @UseFilters(Answers)
  filtered(): never {
    throw new Error('caught');
  }
}

@Injectable()
class Prompts {
  @McpPrompt() text(): string {
    return 'x';
  }

  @McpPrompt() image(): ImageContent {
    return { type: 'image', data: PNG64, mimeType: 'image/png' };
  }

  @McpPrompt() file(): McpFile {
    return new McpFile(PNG, { mimeType: 'audio/wav' });
  }

  @McpPrompt() streamed(): StreamableFile {
    return new StreamableFile(Readable.from([PNG]), { type: 'application/pdf' });
  }

  @McpPrompt() messages(): (string | PromptMessage)[] {
    return ['x', { role: 'assistant', content: { type: 'text', text: 'y' } }];
  }

  @McpPrompt() whole(): GetPromptResult {
    return { resultType: 'complete', description: 'D', messages: [] };
  }

  @McpPrompt() async *written(): AsyncGenerator<string> {
    yield 'Write ';
    yield 'well.';
  }

  @McpPrompt() broken(): object {
    return { role: 'user', content: 'x' };
  }
}

@Injectable()
class Resources {
  @McpResource({ uri: 'docs://text', mimeType: 'text/markdown' }) text(): string {
    return 'x';
  }

  @McpResource({ uri: 'docs://image', mimeType: 'image/png' }) image(): Buffer {
    return PNG;
  }

  @McpResource({ uri: 'docs://latin', mimeType: 'text/plain; charset=latin1' }) latin(): Readable {
    return Readable.from([LATIN]);
  }

  @McpResource({ uri: 'docs://file' }) file(): StreamableFile {
    return new StreamableFile(PNG, { type: 'image/png' });
  }

  @McpResource({ uri: 'docs://data' }) data(): object {
    return { a: [1] };
  }

  @McpResource({ uri: 'docs://blob', mimeType: 'image/png' }) blob(): object {
    return { blob: PNG };
  }

  @McpResource({ uri: 'docs://several' }) several(): object {
    return [
      { uri: 'docs://several/1', text: 'x' },
      { uri: 'docs://several/2', blob: PNG64 },
    ];
  }

  @McpResource({ uri: 'docs://rows' }) async *rows(): AsyncGenerator<object> {
    yield { id: 1 };
  }

  @McpResource({ uri: 'docs://asked' }) async *asked(
    @McpContext() ctx: McpResourceContext,
  ): AsyncGenerator<string> {
    yield 'asked: ';
    yield (await ctx.elicit('Go on?', (form) => form.boolean('yes'))).action;
  }

  @McpResource({ uri: 'docs://large' }) large(): Buffer {
    return Buffer.alloc(MAX_RESULT_BYTES + 1);
  }

  @McpResource({ uriTemplate: 'docs://nothing/{id}' }) nothing(): void {
    // Returns nothing.
  }
}

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image: ContentBlock = { type: 'image', data: PNG64, mimeType: 'image/png' };
const blob = (uri: string, mimeType?: string, bytes = PNG): ContentBlock => ({
  type: 'resource',
  resource: { uri, ...(mimeType !== undefined && { mimeType }), blob: bytes.toString('base64') },
});

const TOOLS: [string, ContentBlock[], unknown?][] = [
  ['nothing', []],
  ['text', [text('hello')]],
  ['promise', [text('promised')]],
  ['observable', [text('last')]],
  ['emptyObservable', []],
  ['promisedObservable', [text('a stream of an Observable')]],
  [
    'object',
    [text('{"at":"1970-01-01T00:00:00.000Z","ids":[1]}')],
    { at: '1970-01-01T00:00:00.000Z', ids: [1] },
  ],
  ['image', [image]],
  ['link', [{ type: 'resource_link', uri: 'docs://a', name: 'a' }]],
  ['embedded', [{ type: 'resource', resource: { uri: 'docs://a', text: 'x' } }]],
  ['mixed', [text('An image:'), image]],
  ['buffer', [image]],
  ['typedArray', [{ type: 'audio', data: PNG64, mimeType: 'audio/wav' }]],
  ['latin', [text('größe')]],
  ['webStream', [blob('result://webStream', undefined, Buffer.from('web'))]],
  ['blob', [image]],
  ['file', [blob('result://file/a%20b.pdf', 'application/pdf')]],
  ['streamable', [blob('result://streamable/report.pdf', 'application/pdf')]],
  ['chunks', [text('Hello')]],
  ['blocks', [text('An image:'), image]],
  ['rows', [text('[{"id":1},{"id":2}]')], [{ id: 1 }, { id: 2 }]],
  ['chunksNow', [text('Hello')]],
  ['stepsNow', [text('{"done":true}')], { done: true }],
  ['streamedByInterceptor', [text('handled, streamed')]],
  ['filtered', [text('filtered')]],
];

const user = (content: ContentBlock): PromptMessage => ({ role: 'user', content });

const PROMPTS: [string, PromptMessage[]][] = [
  ['text', [user(text('x'))]],
  ['image', [user(image)]],
  ['file', [user({ type: 'audio', data: PNG64, mimeType: 'audio/wav' })]],
  ['streamed', [user(blob('result://streamed', 'application/pdf'))]],
  ['messages', [user(text('x')), { role: 'assistant', content: text('y') }]],
  ['whole', []],
  ['written', [user(text('Write well.'))]],
];

const RESOURCES: [string, object[]][] = [
  ['docs://text', [{ uri: 'docs://text', mimeType: 'text/markdown', text: 'x' }]],
  ['docs://image', [{ uri: 'docs://image', mimeType: 'image/png', blob: PNG64 }]],
  [
    'docs://latin',
    [{ uri: 'docs://latin', mimeType: 'text/plain; charset=latin1', text: 'größe' }],
  ],
  ['docs://file', [{ uri: 'docs://file', mimeType: 'image/png', blob: PNG64 }]],
  ['docs://data', [{ uri: 'docs://data', mimeType: 'application/json', text: '{"a":[1]}' }]],
  ['docs://blob', [{ uri: 'docs://blob', mimeType: 'image/png', blob: PNG64 }]],
  [
    'docs://several',
    [
      { uri: 'docs://several/1', text: 'x' },
      { uri: 'docs://several/2', blob: PNG64 },
    ],
  ],
  ['docs://rows', [{ uri: 'docs://rows', mimeType: 'application/json', text: '[{"id":1}]' }]],
];

const MASKED = 'The tool failed unexpectedly. The details are in the log of the server.';

describe.each(adapters)('What handlers return, on %s', (_, adapter) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({
      adapter,
      mcp: { maxResultBytes: MAX_RESULT_BYTES },
      providers: [Desk, Tools, Prompts, Resources],
    });
  });

  beforeEach(() => {
    trace = [];
    stream = new PassThrough();
    opened = new Promise<void>((resolve) => (open = resolve));
    server.logs.length = 0;
  });

  afterAll(() => server.close());

  const errorsLogged = (): string[] =>
    server.logs.filter(({ level }) => level === 'error').map((line) => line.text);

  describe('as a tool', () => {
    it.each(TOOLS)('%s', async (...[name, content, structuredContent]) => {
      const { _meta, ...result } = resultOf(await callTool(server.url, name));
      expect(result).toEqual({
        resultType: 'complete',
        content,
        ...(structuredContent !== undefined && { structuredContent }),
      });
      expect(errorsLogged()).toEqual([]);
    });

    it('whole, with everything', async () => {
      expect(resultOf(await callTool(server.url, 'whole'))).toMatchObject({
        content: [image],
        structuredContent: { a: 1 },
        isError: true,
      });
    });

    it('is read before interceptors see it', async () => {
      await callTool(server.url, 'streamable');
      expect(trace).toEqual(['report.pdf is application/pdf']);
    });

    it.each<[string, string]>([
      [
        'broken',
        '"broken" returned a value that cannot be sent: it is declared to be content, but its "mimeType" is missing. Complete the content block',
      ],
      [
        'unknownBlock',
        '"unknownBlock" returned a value that cannot be sent: of content[0], its type "video" is none of text, image',
      ],
      [
        'bigint',
        '"bigint" returned a value that cannot be sent: accounts[0].balance is a bigint, which JSON has not. Return it as text',
      ],
      [
        'map',
        '"map" returned a value that cannot be sent: it is of type Map, of which JSON keeps nothing. Return Object.fromEntries() of it.',
      ],
      [
        'set',
        '"set" returned a value that cannot be sent: ids is of type Set, of which JSON keeps nothing. Return it as a list.',
      ],
      [
        'circle',
        '"circle" returned a value that cannot be sent: self refers back to it. Return a copy',
      ],
      [
        'function',
        '"function" returned a value that cannot be sent: it is a function, which JSON has not. Return data',
      ],
    ])('is logged and masked when it cannot be sent: %s', async (name, logged) => {
      const response = await callTool(server.url, name);
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
      expect(errorsLogged()).toEqual([expect.stringContaining(logged)]);
    });

    it.each(['failingStream', 'failing', 'failedByInterceptor'])(
      'fails as what is read fails: %s',
      async (name) => {
        const response = await callTool(server.url, name);
        expect(resultOf(response).isError).toBe(true);
        expect(textOf(response)).toBe(MASKED);
        expect(response.text).not.toContain('hunter2');
        expect(errorsLogged()).toEqual([expect.stringContaining('password is hunter2')]);
      },
    );

    it('fails as one of several streams fails, also before its turn', async () => {
      expect(textOf(await callTool(server.url, 'severalFailing'))).toBe(MASKED);
      expect(errorsLogged()).toEqual([expect.stringContaining('hunter2')]);
      expect(resultOf(await callTool(server.url, 'severalTooLarge')).isError).toBe(true);
      await opened;
      expect(textOf(await callTool(server.url, 'text'))).toBe('hello');
    });

    it('is refused when it is too large, and its stream is destroyed', async () => {
      const response = await callTool(server.url, 'tooLarge');
      expect(resultOf(response).isError).toBe(true);
      expect(textOf(response)).toBe(
        '"tooLarge" returned more than maxResultBytes (1000). ' +
          'Ask for less; the server may return a link to it, or raise the limit.',
      );
      expect(stream.destroyed).toBe(true);
    });
  });

  describe('by and by', () => {
    const progress = (response: WireResponse): unknown[] =>
      eventsOf(response)
        .filter((event) => 'method' in event)
        .map((event) => (event as { params?: unknown }).params);

    it('comes from a synchronous generator, whose end is reached', async () => {
      const options = { meta: { progressToken: 'p' } };
      expect(progress(await callTool(server.url, 'stepsNow', {}, {}, options))).toEqual([
        { progressToken: 'p', progress: 1, total: 2 },
        { progressToken: 'p', progress: 2, total: 2 },
      ]);
      expect(textOf(await callTool(server.url, 'chunksNow'))).toBe('Hello');
      expect(trace).toEqual(['ends']);
    });

    it('is asked for in the middle of a generator, which is played again', async () => {
      const options = { meta: { progressToken: 'p' } };
      const first = await callTool(server.url, 'steps', {}, {}, options);
      expect(progress(first)).toEqual([
        { progressToken: 'p', progress: 1, total: 2, message: 'Looked it up' },
      ]);
      const suspended = eventsOf(first).at(-1)?.result;
      expect(suspended?.inputRequests?.['elicit-1']?.params.message).toBe('Go on?');
      expect(trace).toEqual(['begins', 'ends']);

      const answers = {
        requestState: suspended?.requestState,
        inputResponses: { 'elicit-1': { action: 'accept', content: { yes: true } } },
      };
      const second = await callTool(server.url, 'steps', {}, answers, options);
      expect(progress(second)).toEqual([
        { progressToken: 'p', progress: 2, total: 2, message: 'Heard' },
      ]);
      expect(eventsOf(second).at(-1)?.result?.content).toEqual([text('went on: accept')]);
      expect(trace).toEqual(['begins', 'ends', 'begins', 'ends']);
      expect(errorsLogged()).toEqual([]);
    });

    it('may be asked for before anything is yielded', async () => {
      const requestState = stateOf(await callTool(server.url, 'asksFirst'));
      const answered = await callTool(
        server.url,
        'asksFirst',
        {},
        {
          requestState,
          inputResponses: { 'elicit-1': { action: 'accept', content: { which: 'this' } } },
        },
      );
      expect(textOf(answered)).toBe('It is this');
    });

    it('may be asked for by a resource', async () => {
      const uri = 'docs://asked';
      const requestState = stateOf(await send(server.url, 'resources/read', { uri }));
      const inputResponses = { 'elicit-1': { action: 'decline' } };
      const answered = await send(server.url, 'resources/read', {
        uri,
        requestState,
        inputResponses,
      });
      expect(resultOf(answered)).toMatchObject({
        contents: [{ uri, text: 'asked: decline' }],
        ttlMs: 0,
      });
    });

    it.each(['endless', 'subscribed'])('is let go of when its client goes: %s', async (name) => {
      const client = new AbortController();
      const call = callTool(server.url, name, {}, {}, { signal: client.signal });
      await opened;
      const closed = once(stream, 'close');
      client.abort();
      await expect(call).rejects.toThrow();
      await closed;
      expect(errorsLogged()).toEqual([]);
    });

    it('is let go of when its time is up', async () => {
      const call = callTool(server.url, 'timed');
      await opened;
      const closed = once(stream, 'close');
      expect(textOf(await call)).toBe(
        '"timed" did not finish within 20 ms. Try again later, or ask for less.',
      );
      await closed;
      expect(errorsLogged()).toEqual([]);
    });
  });

  describe('as a prompt', () => {
    it.each(PROMPTS)('%s', async (name, messages) => {
      expect(resultOf(await send(server.url, 'prompts/get', { name }))['messages']).toEqual(
        messages,
      );
    });

    it('is logged and masked when it cannot be sent', async () => {
      const response = await send(server.url, 'prompts/get', { name: 'broken' });
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
      expect(errorsLogged()).toEqual([
        expect.stringContaining('"broken" returned a value that cannot be sent: of the content'),
      ]);
    });
  });

  describe('as a resource', () => {
    it.each(RESOURCES)('%s', async (uri, contents) => {
      expect(resultOf(await send(server.url, 'resources/read', { uri }))['contents']).toEqual(
        contents,
      );
    });

    it('is refused when it is too large', async () => {
      const response = await send(server.url, 'resources/read', { uri: 'docs://large' });
      expect(response.status).toBe(500);
      expect(errorOf(response)).toMatchObject({
        code: -32603,
        data: { maxResultBytes: MAX_RESULT_BYTES },
      });
    });

    it('is logged by its template and masked when it cannot be sent', async () => {
      const response = await send(server.url, 'resources/read', { uri: 'docs://nothing/7' });
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
      expect(errorsLogged()).toEqual([
        expect.stringContaining('"docs://nothing/{id}" returned a value that cannot be sent'),
      ]);
    });
  });

  it('is read by the official client, every kind', async () => {
    const client = await connect(server.url);
    for (const [name, content] of TOOLS) {
      expect([name, (await client.callTool({ name })).content]).toEqual([name, content]);
    }
    for (const [name, messages] of PROMPTS) {
      expect([name, (await client.getPrompt({ name })).messages]).toEqual([name, messages]);
    }
    for (const [uri, contents] of RESOURCES) {
      expect([uri, (await client.readResource({ uri })).contents]).toEqual([uri, contents]);
    }
    await client.close();
  });
});

it('What cannot be sent is said to the client where errors are exposed', async () => {
  const server = await startServer({ mcp: { exposeErrors: true }, providers: [Desk, Tools] });
  const { message } = errorOf(await callTool(server.url, 'bigint'));
  expect(message).toContain('accounts[0].balance is a bigint');
  await server.close();
});
