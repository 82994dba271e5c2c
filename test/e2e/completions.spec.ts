import { setTimeout as pause } from 'node:timers/promises';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  NotFoundException,
  Scope,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { IsEnum, IsOptional, IsString } from 'class-validator';
import { from, map, type Observable, of } from 'rxjs';
import { z } from 'zod';
import {
  McpArg,
  McpArgs,
  McpCompletion,
  McpCompletionContext,
  type McpCompletions,
  McpContext,
  McpElicitor,
  McpExchange,
  McpExecutionContext,
  McpHandler,
  type McpHandlerInfo,
  McpPrincipal,
  McpPrincipalSource,
  McpProgressSource,
  McpPrompt,
  McpRegistry,
  McpResource,
  McpSignal,
  McpTool,
  McpValue,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { errorOf, resultOf, send, type WireOptions, type WireResponse } from '../support/wire.js';

interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

type Ref = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string };

const prompt = (name: string): Ref => ({ type: 'ref/prompt', name });
const template = (uri: string): Ref => ({ type: 'ref/resource', uri });

const completionOf = (response: WireResponse): Completion =>
  resultOf(response)['completion'] as Completion;

const numbers = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `n${index + 1}`);

enum Topic {
  Rivers = 'rivers',
  Mountains = 'mountains',
  Riverboats = 'Riverboats',
  Drivers = 'drivers',
}

class EssayArgs {
  @IsEnum(Topic)
  topic!: Topic;

  @IsOptional()
  @IsString()
  tone?: string;
}

/** Whoever calls says so. */
@Injectable()
class CallerSource extends McpPrincipalSource {
  override currentPrincipal({ headers }: McpExchange): string | null {
    return (headers['x-caller'] as string | undefined) ?? null;
  }
}

let seen: McpHandlerInfo[];
let guardArguments: unknown[];

@Injectable()
class EditorsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = McpExecutionContext.create(context);
    seen.push(call.getHandlerInfo());
    guardArguments.push(call.getArguments());
    if (call.getExchange().principal === 'editor') return true;
    throw new ForbiddenException('Editors only.');
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return McpExecutionContext.create(context).getExchange().principal === 'editor';
  }
}

@Injectable()
class Asking {
  constructor(
    private readonly elicitor: McpElicitor,
    private readonly progress: McpProgressSource,
  ) {}

  async ask(): Promise<void> {
    await this.elicitor.elicit('Really?', (form) => form.boolean('yes'));
  }

  report(): void {
    this.progress.countingProgress(1);
  }
}

let promptRan = false;
let stopped: unknown;

@Injectable()
class Prompts {
  @McpPrompt()
  essay(@McpArgs() { topic }: EssayArgs): string {
    return topic;
  }

  @McpPrompt({
    input: z.object({ size: z.enum(['small', 'large']), loud: z.boolean().optional() }),
  })
  drawing(@McpArgs() args: object): string {
    return JSON.stringify(args);
  }

  @McpPrompt()
  letter(
    @McpArg('tone', { complete: ['warm', 'formal', 'Warm-hearted', 'lukewarm'] }) tone: string,
    @McpArg('reader', {
      complete: (value, { tone }, { principal }) => [`${value}-${tone}-${principal}`],
    })
    reader: string,
    @McpArg('urgent') urgent: boolean,
    @McpArg('free') free: string,
  ): string {
    return [tone, reader, urgent, free].join();
  }

  @McpPrompt({ input: { type: 'object', additionalProperties: { type: 'string' } } })
  wild(@McpArgs() args: Record<string, string>): string {
    return JSON.stringify(args);
  }

  @McpPrompt()
  @UseGuards(EditorsGuard)
  @UseInterceptors({
    intercept: (_context: ExecutionContext, next: { handle(): Observable<unknown> }) =>
      next.handle().pipe(map((text) => (text as string).toUpperCase())),
  })
  secret(@McpArg('code', { complete: ['alpha', 'beta'] }) code: string): string {
    promptRan = true;
    return code;
  }

  @McpPrompt()
  @UseGuards(ScopedGuard)
  scoped(@McpArg('code', { complete: async () => ['gamma'] }) code: string): string {
    return code;
  }

  @McpPrompt({ visible: ({ principal }) => principal === 'editor' })
  hidden(@McpArg('code', { complete: ['delta'] }) code: string): string {
    return code;
  }

  @McpPrompt({ timeoutMs: 20 })
  slow(
    @McpArg('code', {
      complete: async (_value, _args, { signal }) => {
        await pause(60_000, undefined, { signal });
        return [];
      },
    })
    code: string,
    @McpArg('broken', {
      complete: () => {
        throw new Error('a secret path');
      },
    })
    broken: string,
    @McpArg('steps', { complete: () => of(['first'], ['last']) }) steps: string,
  ): string {
    return code + broken + steps;
  }

  @McpResource({ uriTemplate: 'docs://pages/{slug}{?lang}' })
  page(@McpArg('slug') slug: string, @McpArg('lang', { complete: ['de', 'en'] }) lang: string) {
    return slug + lang;
  }

  @McpResource({
    uriTemplate: 'drafts://{slug}',
    visible: ({ principal }) => principal === 'editor',
  })
  draft(@McpArg('slug') slug: string): string {
    return slug;
  }

  @McpResource({ uri: 'docs://readme' })
  readme(): string {
    return 'read me';
  }
}

const many: Record<string, () => unknown> = {
  list: () => numbers(250),
  'exactly 100': () => numbers(100),
  counted: () => ({ values: numbers(120), total: 5_000 }),
  'more than said': () => ({ values: numbers(3), hasMore: true }),
  'cut in spite of hasMore': () => ({ values: numbers(101), hasMore: false }),
  nothing: () => undefined,
  none: () => [],
  promise: () => Promise.resolve({ values: ['later'], total: 1 }),
  observable: () => from([['first'], ['last']]),
  empty: () => from([]),
  async *iterable() {
    yield 'one';
    yield ['two', 'three'];
  },
  async *endless() {
    try {
      for (let n = 1; ; n += 1) yield `n${n}`;
    } finally {
      stopped = 'ended';
    }
  },
  text: () => 'one',
  numbers: () => [1, 2],
  'a wrong total': () => ({ values: ['a', 'b'], total: 1 }),
  'a broken total': () => ({ values: ['a'], total: 1.5 }),
  'an odd hasMore': () => ({ values: ['a'], hasMore: 'yes' }),
};

@Injectable()
class Completions {
  constructor(private readonly asking: Asking) {}

  @McpCompletion({ prompt: 'letter', argument: 'free' })
  all(
    @McpValue() value: string,
    @McpArgs() args: Record<string, string>,
    @McpArg('tone') tone: string | undefined,
    @McpArg('urgent') urgent: boolean,
    @McpPrincipal() principal: string | null,
    @McpSignal() signal: AbortSignal,
    @McpContext() ctx: McpCompletionContext,
  ): string[] {
    return [
      JSON.stringify({
        value,
        args,
        tone,
        urgent,
        principal,
        aborted: signal.aborted,
        ctx: {
          value: ctx.value,
          argument: ctx.argument,
          arguments: ctx.arguments,
          principal: ctx.principal,
          handlerName: ctx.handlerName,
          client: ctx.client.info?.name,
          method: ctx.exchange.method,
          sameSignal: ctx.signal === signal,
          asks: 'elicit' in ctx,
        },
      }),
    ];
  }

  @McpCompletion({ prompt: 'wild', argument: 'kind' })
  kinds(@McpArg('use') use: string): unknown {
    return many[use]?.();
  }

  @McpCompletion({ prompt: 'wild', argument: 'asking' })
  async asks(): Promise<string[]> {
    await this.asking.ask();
    return [];
  }

  @McpCompletion({ prompt: 'wild', argument: 'reporting' })
  reports(): string[] {
    this.asking.report();
    return [];
  }

  @McpCompletion({ prompt: 'wild', argument: 'missing' })
  missing(): string[] {
    throw new NotFoundException('Nothing of that kind.');
  }

  @McpCompletion({ prompt: 'wild', argument: 'slow', timeoutMs: 20 })
  async *slow(@McpSignal() signal: AbortSignal): AsyncGenerator<string> {
    yield 'one';
    await pause(60_000, undefined, { signal });
  }

  @McpCompletion({ resource: 'docs://pages/{slug}{?lang}', argument: 'slug' })
  @McpCompletion({ resource: 'drafts://{slug}', argument: 'slug' })
  slugs(@McpValue() value: string, @McpContext() { handlerName }: McpCompletionContext): string[] {
    return [`${value} in ${handlerName}`];
  }

  // A method outranks the values that the type names.
  @McpCompletion({ prompt: 'drawing', argument: 'size' })
  @UseGuards(EditorsGuard)
  @UseInterceptors({
    intercept: (_context: ExecutionContext, next: { handle(): Observable<unknown> }) =>
      next.handle().pipe(map((values) => [...(values as string[]), 'from the interceptor'])),
  })
  async *sizes(): AsyncGenerator<string> {
    yield 'huge';
  }
}

@Injectable()
class Dynamic {
  @McpHandler()
  run(@McpArg('topic', { complete: ['one', 'two'] }) topic: string): string {
    return topic;
  }

  @McpHandler()
  plain(@McpArg('topic') topic: string): string {
    return topic;
  }

  @McpHandler()
  complete(@McpValue() value: string): McpCompletions {
    return [`${value}!`];
  }

  @McpHandler()
  read(@McpArg('id', { complete: ['a1', 'b2'] }) id: string): string {
    return id;
  }
}

describe.each(adapters)('Completions on %s', (_, adapter) => {
  let server: TestServer;

  const complete = (
    ref: unknown,
    name: string,
    value = '',
    args?: Record<string, unknown>,
    options?: WireOptions,
  ): Promise<WireResponse> =>
    send(
      server.url,
      'completion/complete',
      {
        ref,
        argument: { name, value },
        ...(args !== undefined && { context: { arguments: args } }),
      },
      options,
    );
  const as = (caller: string): WireOptions => ({ headers: { 'x-caller': caller } });
  const values = async (...call: Parameters<typeof complete>): Promise<string[]> =>
    completionOf(await complete(...call)).values;
  const capabilities = async (): Promise<unknown> =>
    resultOf(await send(server.url, 'server/discover'))['capabilities'];
  const errors = (): string =>
    server.logs
      .filter(({ level }) => level === 'error')
      .map(({ text }) => text)
      .join('\n');

  beforeAll(async () => {
    server = await startServer({
      adapter,
      providers: [Prompts, Completions, Asking, Dynamic, EditorsGuard, ScopedGuard],
      mcp: { principalSource: { useClass: CallerSource } },
    });
  });
  beforeEach(() => {
    seen = [];
    guardArguments = [];
    promptRan = false;
    stopped = undefined;
    server.logs.length = 0;
  });
  afterAll(() => server.close());

  describe('of what types and lists name', () => {
    it('are announced', async () => {
      expect(await capabilities()).toMatchObject({ completions: {} });
    });

    it('find the values of an enum: beginnings first, then what contains it, whatever the case', async () => {
      const response = await complete(prompt('essay'), 'topic', 'RIVER');
      expect(resultOf(response)).toMatchObject({
        resultType: 'complete',
        completion: { values: ['rivers', 'Riverboats', 'drivers'], total: 3, hasMore: false },
      });
      expect(await values(prompt('essay'), 'topic')).toEqual(Object.values(Topic));
      expect(completionOf(await complete(prompt('essay'), 'topic', 'sea'))).toEqual({
        values: [],
        total: 0,
        hasMore: false,
      });
    });

    it('find what a static list has', async () => {
      expect(await values(prompt('letter'), 'tone', 'warm')).toEqual([
        'warm',
        'Warm-hearted',
        'lukewarm',
      ]);
      expect(await values(template('docs://pages/{slug}{?lang}'), 'lang', 'd')).toEqual(['de']);
    });

    it('find the two values of a boolean, of a parameter and of a schema', async () => {
      expect(await values(prompt('letter'), 'urgent', 't')).toEqual(['true']);
      expect(await values(prompt('drawing'), 'loud')).toEqual(['true', 'false']);
    });

    it('are nothing for an argument of which nobody knows anything', async () => {
      expect(completionOf(await complete(prompt('essay'), 'tone', 'x'))).toEqual({
        values: [],
        total: 0,
        hasMore: false,
      });
    });
  });

  it('come from a function, which sees value, other arguments and exchange', async () => {
    expect(await values(prompt('letter'), 'reader', 'Ada', { tone: 'warm' }, as('editor'))).toEqual(
      ['Ada-warm-editor'],
    );
    expect(await values(prompt('slow'), 'steps')).toEqual(['last']);
  });

  describe('of a method', () => {
    it('see everything about the call, and the other arguments without their own', async () => {
      const [text] = await values(
        prompt('letter'),
        'free',
        'typed',
        { tone: 'warm', urgent: 'true', free: 'not this' },
        as('editor'),
      );
      const args = { tone: 'warm', urgent: 'true' };
      expect(JSON.parse(text ?? '')).toEqual({
        value: 'typed',
        args: { tone: 'warm', urgent: true },
        tone: 'warm',
        urgent: true,
        principal: 'editor',
        aborted: false,
        ctx: {
          value: 'typed',
          argument: 'free',
          arguments: args,
          principal: 'editor',
          handlerName: 'letter',
          client: 'wire',
          method: 'completion/complete',
          sameSignal: true,
          asks: false,
        },
      });
    });

    it('serve two arguments with one method', async () => {
      expect(await values(template('docs://pages/{slug}{?lang}'), 'slug', 'a')).toEqual([
        'a in docs://pages/{slug}{?lang}',
      ]);
      expect(
        await values(template('drafts://{slug}'), 'slug', 'b', undefined, as('editor')),
      ).toEqual(['b in drafts://{slug}']);
    });

    it.each([
      ['list', { values: numbers(100), total: 250, hasMore: true }],
      ['exactly 100', { values: numbers(100), total: 100, hasMore: false }],
      ['counted', { values: numbers(100), total: 5_000, hasMore: true }],
      ['more than said', { values: numbers(3), hasMore: true }],
      ['cut in spite of hasMore', { values: numbers(100), total: 101, hasMore: true }],
      ['nothing', { values: [], total: 0, hasMore: false }],
      ['none', { values: [], total: 0, hasMore: false }],
      ['promise', { values: ['later'], total: 1, hasMore: false }],
      ['observable', { values: ['last'], total: 1, hasMore: false }],
      ['empty', { values: [], total: 0, hasMore: false }],
      ['iterable', { values: ['one', 'two', 'three'], total: 3, hasMore: false }],
      ['endless', { values: numbers(100), hasMore: true }],
    ])('count and cut: %s', async (use, completion) => {
      expect(completionOf(await complete(prompt('wild'), 'kind', '', { use }))).toEqual(completion);
      expect(stopped).toBe(use === 'endless' ? 'ended' : undefined);
    });

    it.each([
      ['text', 'a completion returns a list of strings, or { values: […], total?, hasMore? }'],
      ['numbers', 'a completion returns a list of strings'],
      ['a wrong total', 'its total is 1, and it has 2 values'],
      ['a broken total', 'its total is 1.5'],
      ['an odd hasMore', 'its hasMore is neither true nor false'],
    ])('that return %s fail masked, and the log says why', async (use, reason) => {
      const error = errorOf(await complete(prompt('wild'), 'kind', '', { use }));
      expect(error).toEqual({ code: -32603, message: 'Internal error' });
      expect(errors()).toContain(`"wild" returned a value that cannot be sent: ${reason}`);
    });

    it.each([
      ['asking', 'elicit()'],
      ['reporting', 'countingProgress()'],
    ])('cannot ask or report: %s', async (argument, operation) => {
      const error = errorOf(await complete(prompt('wild'), argument));
      expect(error).toEqual({ code: -32603, message: 'Internal error' });
      expect(errors()).toContain(
        `${operation} was called in a completion, which can neither ask nor report.`,
      );
    });

    it('tell the caller what the author meant to tell', async () => {
      expect(errorOf(await complete(prompt('wild'), 'missing'))).toMatchObject({
        code: -32602,
        message: 'Nothing of that kind.',
      });
    });

    it('keep their time limit', async () => {
      const response = await complete(prompt('wild'), 'slow');
      expect(response.status).toBe(504);
      expect(errorOf(response).message).toContain('did not finish within 20 ms');
      expect(errorOf(await complete(prompt('slow'), 'code')).message).toContain('within 20 ms');
    });

    it('leave nothing of an unexpected error to the caller', async () => {
      const response = await complete(prompt('slow'), 'broken');
      expect(errorOf(response)).toEqual({ code: -32603, message: 'Internal error' });
      expect(response.text).not.toContain('secret');
      expect(errors()).toContain('a secret path');
    });
  });

  describe('and guards', () => {
    it('run those of the method, and its interceptors, and tell them what is completed', async () => {
      const refused = await complete(prompt('drawing'), 'size');
      expect(refused.status).toBe(403);
      expect(errorOf(refused)).toMatchObject({ code: 403, message: 'Editors only.' });
      expect(await values(prompt('drawing'), 'size', '', { loud: 'true' }, as('editor'))).toEqual([
        'huge',
        'from the interceptor',
      ]);
      expect(seen[1]).toEqual({ kind: 'completion', name: 'drawing', argument: 'size' });
      expect(guardArguments[1]).toEqual({ loud: 'true' });
    });

    it('run those of the prompt before its lists are told, and nothing else of it', async () => {
      const refused = await complete(prompt('secret'), 'code');
      expect(refused.status).toBe(403);
      expect(refused.text).not.toContain('alpha');
      expect(await values(prompt('secret'), 'code', 'a', { other: 'x' }, as('editor'))).toEqual([
        'alpha',
        'beta',
      ]);
      expect(seen).toEqual([
        { kind: 'prompt', name: 'secret' },
        { kind: 'prompt', name: 'secret' },
      ]);
      expect(guardArguments[1]).toEqual({ other: 'x' });
      expect(promptRan).toBe(false);
      // The prompt itself is as it was.
      const response = await send(
        server.url,
        'prompts/get',
        { name: 'secret', arguments: { code: 'alpha' } },
        as('editor'),
      );
      expect(resultOf(response)['messages']).toEqual([
        { role: 'user', content: { type: 'text', text: 'ALPHA' } },
      ]);
      expect(promptRan).toBe(true);
    });

    it('run those of a request-scoped prompt too', async () => {
      expect((await complete(prompt('scoped'), 'code')).status).toBe(403);
      expect(await values(prompt('scoped'), 'code', '', undefined, as('editor'))).toEqual([
        'gamma',
      ]);
    });
  });

  describe('refuse', () => {
    it('what is hidden exactly as what is not there', async () => {
      for (const [hidden, unknown] of [
        [prompt('hidden'), prompt('nobody')],
        [template('drafts://{slug}'), template('nobody://{slug}')],
      ] as const) {
        const argument = hidden.type === 'ref/prompt' ? 'code' : 'slug';
        const name = (ref: Ref): string => (ref.type === 'ref/prompt' ? ref.name : ref.uri);
        const answers = await Promise.all([
          complete(hidden, argument),
          complete(unknown, argument),
        ]);
        const [a, b] = answers.map(({ status, text }) => ({ status, text }));
        expect(a?.text.replace(name(hidden), name(unknown))).toBe(b?.text);
        expect(a?.status).toBe(b?.status);
        expect(errorOf(answers[0]).code).toBe(-32602);
        // Not even its arguments can be probed.
        expect(errorOf(await complete(hidden, 'nope')).message).toBe(errorOf(answers[0]).message);
      }
      expect(await values(prompt('hidden'), 'code', '', undefined, as('editor'))).toEqual([
        'delta',
      ]);
    });

    it.each([
      ['an unknown prompt', prompt('nobody'), 'x', 'Unknown prompt "nobody"'],
      ['an unknown template', template('x://{y}'), 'y', 'Unknown resource template "x://{y}"'],
      [
        'a uri in place of its template',
        template('docs://pages/intro'),
        'slug',
        'Unknown resource template "docs://pages/intro"',
      ],
      [
        'an unknown argument',
        prompt('essay'),
        'nope',
        'The prompt "essay" has no argument "nope".',
      ],
      ['an inherited name', prompt('essay'), 'constructor', /has no argument "constructor"/],
      [
        'an unknown variable',
        template('docs://pages/{slug}{?lang}'),
        'nope',
        /The resource template "docs.+" has no argument "nope"/,
      ],
      [
        'a resource without variables',
        template('docs://readme'),
        'x',
        'The resource "docs://readme" has no arguments.',
      ],
    ])('%s', async (_what, ref, argument, message) => {
      const error = errorOf(await complete(ref, argument));
      expect(error.code).toBe(-32602);
      expect(error.message).toEqual(
        typeof message === 'string' ? message : expect.stringMatching(message),
      );
    });

    it.each([
      ['no ref', {}],
      ['a ref of another type', { ref: { type: 'ref/tool', name: 'essay' } }],
      ['a ref without a name', { ref: { type: 'ref/prompt', uri: 'x' } }],
      ['no argument', { argument: undefined }],
      ['an argument without a value', { argument: { name: 'topic' } }],
      ['a value that is no text', { argument: { name: 'topic', value: 1 } }],
      ['a context that is none', { context: 'x' }],
      ['null for a context', { context: null }],
      ['arguments that are a list', { context: { arguments: [] } }],
      ['arguments that are no text', { context: { arguments: { tone: 5 } } }],
    ])('%s', async (what, change) => {
      const params = {
        ...(what === 'no ref' ? {} : { ref: prompt('essay') }),
        argument: { name: 'topic', value: '' },
        ...change,
      };
      const error = errorOf(await send(server.url, 'completion/complete', params));
      expect(error.code).toBe(-32602);
      expect(error.message).toMatch(/^params\./);
    });

    it('other arguments that do not fit what the method takes', async () => {
      const error = errorOf(await complete(prompt('letter'), 'free', '', { urgent: 'perhaps' }));
      expect(error).toMatchObject({
        code: -32602,
        message: 'Invalid arguments for "letter": urgent must be boolean.',
      });
    });
  });

  it('follow what is added and removed at run time', async () => {
    const registry = server.app.get(McpRegistry, { strict: false });
    registry.addPrompt({ name: 'late' }, Dynamic, 'run');
    expect(await values(prompt('late'), 'topic', 't')).toEqual(['two']);
    expect(() =>
      registry.addCompletion({ prompt: 'late', argument: 'topic' }, Dynamic, 'complete'),
    ).toThrow(/the argument "topic" of the prompt "late" has a complete option too/);
    registry.removePrompt('late');
    expect(errorOf(await complete(prompt('late'), 'topic')).code).toBe(-32602);

    registry.addPrompt({ name: 'late' }, Dynamic, 'plain');
    registry.addCompletion({ prompt: 'late', argument: 'topic' }, Dynamic, 'complete');
    expect(await values(prompt('late'), 'topic', 'hm')).toEqual(['hm!']);
    registry.removePrompt('late');
    expect(errorOf(await complete(prompt('late'), 'topic')).code).toBe(-32602);
    registry.addPrompt({ name: 'late' }, Dynamic, 'plain');
    expect(await values(prompt('late'), 'topic', 'hm')).toEqual(['hm!']);
    expect(registry.removeCompletion({ prompt: 'late', argument: 'topic' })).toBe(true);
    expect(registry.removeCompletion({ prompt: 'late', argument: 'topic' })).toBe(false);
    expect(await values(prompt('late'), 'topic', 'hm')).toEqual([]);
    registry.removePrompt('late');

    registry.addResource({ uriTemplate: 'late://{id}' }, Dynamic, 'read');
    expect(await values(template('late://{id}'), 'id', 'b')).toEqual(['b2']);
    registry.removeResource('late://{id}');
    expect(errorOf(await complete(template('late://{id}'), 'id')).code).toBe(-32602);
  });

  it('serve the official client', async () => {
    const client = await connect(server.url, { headers: { 'x-caller': 'editor' } });
    expect(client.getServerCapabilities()).toMatchObject({ completions: {} });
    await expect(
      client.complete({
        ref: { type: 'ref/prompt', name: 'essay' },
        argument: { name: 'topic', value: 'mou' },
      }),
    ).resolves.toMatchObject({ completion: { values: ['mountains'], total: 1, hasMore: false } });
    await expect(
      client.complete({
        ref: { type: 'ref/resource', uri: 'docs://pages/{slug}{?lang}' },
        argument: { name: 'slug', value: 'in' },
        context: { arguments: { lang: 'de' } },
      }),
    ).resolves.toMatchObject({
      completion: { values: ['in in docs://pages/{slug}{?lang}'] },
    });
    await expect(
      client.complete({
        ref: { type: 'ref/prompt', name: 'nobody' },
        argument: { name: 'topic', value: '' },
      }),
    ).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

describe('The guards before what types and lists name', () => {
  it('are found on controllers, and when they are added as global ones before listening', async () => {
    @Controller()
    @UseGuards(EditorsGuard)
    class Pages {
      @McpPrompt()
      page(@McpArg('code', { complete: ['alpha'] }) code: string): string {
        return code;
      }
    }
    @Injectable()
    class Open {
      @McpPrompt()
      open(@McpArg('code', { complete: ['beta'] }) code: string): string {
        return code;
      }
    }
    const server = await startServer({
      controllers: [Pages],
      providers: [Open, EditorsGuard],
      mcp: { principalSource: { useClass: CallerSource } },
      afterInit: (app) =>
        app.useGlobalGuards({
          canActivate: (context) => {
            const { headers } = McpExecutionContext.create(context).getExchange();
            return headers['x-banned'] === undefined;
          },
        }),
    });
    const complete = (name: string, headers: Record<string, string>): Promise<WireResponse> =>
      send(
        server.url,
        'completion/complete',
        { ref: prompt(name), argument: { name: 'code', value: '' } },
        { headers },
      );
    expect((await complete('page', {})).status).toBe(403);
    expect(completionOf(await complete('page', { 'x-caller': 'editor' })).values).toEqual([
      'alpha',
    ]);
    expect(completionOf(await complete('open', {})).values).toEqual(['beta']);
    expect((await complete('open', { 'x-banned': 'yes' })).status).toBe(403);
    await server.close();
  });
});

describe('A completion with limits', () => {
  it('is refused beyond them, and stops when its client goes away', async () => {
    let started!: () => void;
    let aborted!: () => void;
    const running = new Promise<void>((resolve) => (started = resolve));
    const ended = new Promise<void>((resolve) => (aborted = resolve));
    @Injectable()
    class Slow {
      @McpPrompt()
      plan(@McpArg('topic') topic: string): string {
        return topic;
      }

      @McpCompletion({ prompt: 'plan', argument: 'topic', maxConcurrent: 1 })
      async topics(@McpSignal() signal: AbortSignal): Promise<string[]> {
        started();
        await pause(60_000, undefined, { signal }).finally(aborted);
        return [];
      }
    }
    const server = await startServer({ providers: [Slow] });
    const complete = (signal?: AbortSignal): Promise<WireResponse> =>
      send(
        server.url,
        'completion/complete',
        { ref: prompt('plan'), argument: { name: 'topic', value: '' } },
        signal === undefined ? {} : { signal },
      );
    const client = new AbortController();
    const first = complete(client.signal);
    await running;
    const second = await complete();
    expect(second.status).toBe(503);
    client.abort();
    await expect(first).rejects.toThrow();
    await ended;
    expect(server.logs.filter(({ level }) => level === 'error')).toEqual([]);
    await server.close();
  });
});

describe('A server without completions', () => {
  it('neither announces nor knows the method, until there is one', async () => {
    @Injectable()
    class Tools {
      @McpTool()
      run(): void {
        // Never called.
      }
    }
    const server = await startServer({ providers: [Tools, Dynamic] });
    const discover = async (): Promise<unknown> =>
      resultOf(await send(server.url, 'server/discover'))['capabilities'];
    const complete = (): Promise<WireResponse> =>
      send(server.url, 'completion/complete', {
        ref: prompt('late'),
        argument: { name: 'topic', value: '' },
      });
    expect(await discover()).not.toHaveProperty('completions');
    const refused = await complete();
    expect(refused.status).toBe(404);
    expect(errorOf(refused).code).toBe(-32601);

    const registry = server.app.get(McpRegistry, { strict: false });
    registry.addPrompt({ name: 'late' }, Dynamic, 'plain');
    expect(await discover()).not.toHaveProperty('completions');
    registry.addCompletion({ prompt: 'late', argument: 'topic' }, Dynamic, 'complete');
    expect(await discover()).toMatchObject({ completions: {} });
    expect(completionOf(await complete()).values).toEqual(['!']);
    registry.removePrompt('late');
    expect(await discover()).not.toHaveProperty('completions');
    await server.close();
  });
});
