import { randomBytes } from 'node:crypto';
import {
  type CanActivate,
  Controller,
  Injectable,
  Module,
  type Provider,
  Scope,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { IsString } from 'class-validator';
import { z } from 'zod';
import {
  McpArg,
  McpArgs,
  McpContext,
  type McpExchange,
  McpModule,
  type McpModuleOptions,
  McpPrincipalSource,
  McpPrompt,
  McpProperty,
  McpResource,
  McpTool,
  McpToolContext,
  type SchemaSource,
} from '@dacapo/mcp';
import { collect, type LogLine, SECRET, startServer } from '../support/test-server.js';
import { callTool, resultOf, send, stateOf, textOf } from '../support/wire.js';

/** Boots an application with one class, and returns why it would not. */
async function complaint(...providers: Provider[]): Promise<string> {
  try {
    const server = await startServer({ providers });
    await server.close();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error('it booted');
}

async function bootWith(options: Partial<McpModuleOptions>): Promise<LogLine[]> {
  const logs: LogLine[] = [];
  const testing = await Test.createTestingModule({
    imports: [McpModule.forRoot({ server: { name: 's', version: '1' }, ...options })],
  })
    .setLogger(collect(logs))
    .compile();
  await testing.init();
  await testing.close();
  return logs;
}

class Named {
  @IsString()
  name!: string;
}

class Undecorated {
  name!: string;
}

const tool = (input: SchemaSource): Type<object> => {
  @Injectable()
  class Tools {
    @McpTool({ description: 'x', input })
    run(): void {
      // Never called.
    }
  }
  return Tools;
};

describe('The boot stops, naming class, method and mend, at', () => {
  it('a parameter without a decorator', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(@McpContext() _ctx: McpToolContext, _bare: string): void {
        // Never called.
      }
    }
    expect(await complaint(Tools)).toMatch(
      /^HandlerDefinitionException: Tools\.run: parameter 1 has no decorator.+Use @McpArgs\(\)/,
    );
  });

  it('arguments that nothing describes', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(@McpArgs() _args: { name: string }): void {
        // Never called.
      }
    }
    expect(await complaint(Tools)).toMatch(
      /Tools\.run: nothing says what @McpArgs\(\) accepts\. Type the parameter with a class-validator DTO/,
    );
  });

  it('a DTO without decorators', async () => {
    expect(await complaint(tool(Undecorated))).toMatch(
      /Tools\.run: its input schema cannot be used: the class Undecorated has no class-validator decorators\. Give/,
    );
  });

  it('an argument that the schema does not have', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x', input: Named })
      run(@McpArg('nmae') _name: string): void {
        // Never called.
      }
    }
    expect(await complaint(Tools)).toMatch(
      /Tools\.run: @McpArg\("nmae"\) names nothing in the input schema\. Add it to the input schema, or correct the name/,
    );
  });

  it.each<[string, SchemaSource, RegExp]>([
    ['is not valid', { type: 'object', properties: { a: { type: 'text' } } }, /cannot be used/],
    [
      'is no object',
      { type: 'string' },
      /does not describe an object\. Give the schema "type": "object"/,
    ],
    [
      'refers to the network',
      { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } },
      /can't resolve reference https:\/\/example\.com/,
    ],
    [
      'has an unknown dialect',
      { $schema: 'https://example.com/dialect', type: 'object' },
      /the dialect https:\/\/example\.com\/dialect is not supported/,
    ],
    ['cannot be described', z.object({ when: z.date() }), /cannot be used/],
  ])('a schema that %s', async (_, input, text) => {
    expect(await complaint(tool(input))).toMatch(text);
    expect(await complaint(tool(input))).toMatch(/HandlerDefinitionException: Tools\.run: /);
  });

  it('a tool name that is not usable', async () => {
    @Injectable()
    class Tools {
      @McpTool({ name: 'open account', description: 'x' })
      run(): void {
        // Never called.
      }
    }
    expect(await complaint(Tools)).toMatch(
      /Tools\.run: the tool name "open account" is not usable\. Use 1 to 128/,
    );
  });

  it('a name or uri that is taken', async () => {
    @Injectable()
    class A {
      @McpTool({ name: 'same', description: 'x' })
      @McpPrompt({ name: 'same' })
      @McpResource({ uri: 'docs://same' })
      run(): string {
        return 'a';
      }
    }
    @Injectable()
    class B {
      @McpTool({ name: 'same', description: 'x' })
      go(): void {
        // Never called.
      }
    }
    @Injectable()
    class C {
      @McpResource({ uri: 'docs://same' })
      read(): string {
        return 'c';
      }
    }
    @Injectable()
    class D {
      @McpPrompt({ name: 'same' })
      write(): string {
        return 'd';
      }
    }
    expect(await complaint(A, B)).toMatch(
      /B\.go: the tool name "same" is already taken by A\.run\. Give one of them another/,
    );
    expect(await complaint(A, C)).toMatch(
      /C\.read: the resource uri "docs:\/\/same" is already taken by A\.run/,
    );
    expect(await complaint(A, D)).toMatch(
      /D\.write: the prompt name "same" is already taken by A\.run/,
    );
  });

  it('a class that two modules provide', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'x' })
      run(): void {
        // Never called.
      }
    }
    @Module({ providers: [Tools] })
    class OneModule {}
    @Module({ providers: [Tools] })
    class OtherModule {}
    const booted = startServer({ imports: [OneModule, OtherModule] });
    await expect(booted).rejects.toThrow(
      /Provide the class in one module only and export it from there/,
    );
  });

  it.each([
    ['docs://{a', 'has a "{" without a "}"'],
    ['docs://a}', 'has a "}" without a "{"'],
    ['docs://{a}{b}', 'nothing separates {a} from {b}'],
    ['docs://{a*}', 'level 4'],
    ['docs://{a}/{a}', 'the variable "a" twice'],
    ['docs://plain', 'has no variables; give it as "uri"'],
  ])('the uri template %s', async (uriTemplate, text) => {
    @Injectable()
    class Pages {
      @McpResource({ uriTemplate })
      page(): string {
        return '';
      }
    }
    const message = await complaint(Pages);
    expect(message).toContain('Pages.page: the uri template');
    expect(message).toContain(text);
    expect(message).toContain('Write it as in RFC 6570');
  });

  it('templates that match the same uris', async () => {
    @Injectable()
    class Pages {
      @McpResource({ uriTemplate: 'docs://{a}' })
      a(): string {
        return '';
      }

      @McpResource({ uriTemplate: 'docs://{b}' })
      b(): string {
        return '';
      }
    }
    expect(await complaint(Pages)).toMatch(
      /Pages\.b: the uri template "docs:\/\/\{1\}" is already taken by Pages\.a/,
    );
  });

  it('a variable that the template does not have', async () => {
    @Injectable()
    class Pages {
      @McpResource({ uriTemplate: 'docs://{slug}' })
      page(@McpArg('slag') _slug: string): string {
        return '';
      }
    }
    expect(await complaint(Pages)).toMatch(
      /Pages\.page: @McpArg\("slag"\) names nothing in the uri template/,
    );
  });

  it('a resource that is no URI, or has arguments', async () => {
    @Injectable()
    class Relative {
      @McpResource({ uri: 'readme' })
      read(): string {
        return '';
      }
    }
    @Injectable()
    class WithArgument {
      @McpResource({ uri: 'docs://readme' })
      read(@McpArg('x') _x: string): string {
        return '';
      }
    }
    expect(await complaint(Relative)).toMatch(
      /Relative\.read: "readme" is not an absolute URI\. Give it a scheme/,
    );
    expect(await complaint(WithArgument)).toMatch(
      /WithArgument\.read: a resource with one uri has no arguments/,
    );
  });

  it('a guard that Nest would skip on a value or a factory', async () => {
    class Deny implements CanActivate {
      canActivate(): boolean {
        return false;
      }
    }
    @UseGuards(Deny)
    class ByClass {
      @McpTool({ description: 'x' })
      secret(): string {
        return 'leaked';
      }
    }
    class ByMethod {
      @McpTool({ description: 'x' })
      @UseGuards(Deny)
      secret(): string {
        return 'leaked';
      }
    }
    const text =
      /secret: the provider is a value or comes from a factory, where Nest would skip Deny silently\. Provide the class with useClass/;
    expect(await complaint({ provide: 'a', useValue: new ByClass() })).toMatch(text);
    expect(await complaint({ provide: ByClass, useFactory: () => new ByClass() })).toMatch(text);
    expect(await complaint({ provide: 'b', useFactory: () => new ByMethod() })).toMatch(text);
  });

  it('a value or a factory where something request-scoped belongs to it', async () => {
    class Plain {
      @McpTool({ description: 'x' })
      run(): void {
        // Never called.
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class ScopedGuard implements CanActivate {
      canActivate(): boolean {
        return true;
      }
    }
    const globalGuard = { provide: APP_GUARD, useClass: ScopedGuard, scope: Scope.REQUEST };
    const text =
      /Plain\.run: the provider is a value or comes from a factory, and something request-scoped/;
    expect(await complaint({ provide: 'v', useValue: new Plain() }, globalGuard)).toMatch(text);
    expect(
      await complaint({ provide: Plain, scope: Scope.REQUEST, useFactory: () => new Plain() }),
    ).toMatch(text);
  });

  it('a module that is imported twice', async () => {
    @Module({ imports: [McpModule.forRoot({ server: { name: 'second', version: '1' } })] })
    class SecondModule {}
    await expect(startServer({ imports: [SecondModule] })).rejects.toThrow(
      /hold McpModule 2 times\. Import it once, in the root module/,
    );
  });

  it('a resource that has a uri and a template', async () => {
    @Injectable()
    class Both {
      @McpResource({ uri: 'docs://a', uriTemplate: 'docs://{a}' } as never)
      read(): string {
        return '';
      }
    }
    expect(await complaint(Both)).toMatch(/Both\.read: it has both a uri and a uriTemplate/);
  });

  it('a static method', () => {
    const declare = (): unknown => {
      class Tools {
        @McpTool({ description: 'x' })
        static run(): void {
          // Never called.
        }
      }
      return Tools;
    };
    expect(declare).toThrow(
      /Tools\.run: @McpTool\(\) is on a static method\. Make it an instance method/,
    );
  });

  it.each<[Partial<McpModuleOptions>, RegExp]>([
    [{ server: { name: '', version: '1' } }, /McpModule option server\.name is missing/],
    [{ server: undefined }, /McpModule option server\.name is missing/],
    [{ path: 'mcp' }, /option path is "mcp"\. Use a plain path such as "\/mcp"/],
    [{ path: '/:any' }, /option path is/],
    [{ replay: { ttlMs: 0 } }, /option replay\.ttlMs is 0\. Give an integer of at least 1/],
    [
      { replay: { answers: 'any' as never } },
      /option replay\.answers is "any"\. Use "strict" or "lenient"/,
    ],
    [{ lists: { pageSize: 1.5 } }, /option lists\.pageSize is 1\.5/],
    [{ replay: { ttl: 5 } as never }, /option replay\.ttl is not known\. Use one of secret, ttlMs/],
    [{ paths: '/x' } as never, /option paths is not known\. Use one of server, path/],
  ])('the options %j', async (options, text) => {
    await expect(bootWith(options)).rejects.toThrow(text);
  });

  it.each([
    ['is not base64', 'not base64!', /replay\.secret must be valid base64\. Give 32 random bytes/],
    [
      'has 31 bytes',
      randomBytes(31).toString('base64'),
      /must decode to exactly 32 bytes \(256 bits\), got 31/,
    ],
    ['has one bad key in a list', [SECRET, 'AAAA'], /replay\.secret\[1\] must decode/],
  ])('a secret that %s', async (_, secret, text) => {
    await expect(bootWith({ replay: { secret } })).rejects.toThrow(text);
  });
});

describe('The secret', () => {
  it('may be absent: one warning, and a key that dies with the process', async () => {
    const logs = await bootWith({});
    const warnings = logs.filter(({ text }) => text.includes('secret'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.level).toBe('warn');
    expect(warnings[0]?.text).toMatch(
      /^No replay\.secret is configured: .+ restart nor another instance/,
    );
  });

  it('is warned of no more once it is there', async () => {
    const logs = await bootWith({ replay: { secret: SECRET } });
    expect(logs.filter(({ text }) => text.includes('secret'))).toEqual([]);
  });

  it('may be a list: the first seals, all open', async () => {
    @Injectable()
    class Tools {
      @McpTool({ description: 'Asks' })
      async ask(@McpContext() ctx: McpToolContext): Promise<string> {
        return (await ctx.elicit('Sure?', (form) => form.boolean('yes'))).action;
      }
    }
    const newer = randomBytes(32).toString('base64');
    const start = (secret: string | string[]): ReturnType<typeof startServer> =>
      startServer({ providers: [Tools], mcp: { replay: { secret } } });
    const [old, both, fresh] = await Promise.all([
      start(SECRET),
      start([newer, SECRET]),
      start(newer),
    ]);
    const answers = { 'elicit-1': { action: 'cancel' } };
    const fromOld = stateOf(await callTool(old.url, 'ask'));
    const fromBoth = stateOf(await callTool(both.url, 'ask'));
    const go = async (url: string, requestState: string): Promise<string | undefined> =>
      textOf(await callTool(url, 'ask', {}, { requestState, inputResponses: answers }));
    expect(await go(both.url, fromOld)).toBe('cancel');
    expect(await go(fresh.url, fromBoth)).toBe('cancel');
    const lost = await callTool(fresh.url, 'ask', {}, { requestState: fromOld });
    expect(lost.body.error?.data?.['reason']).toBe('state_tampered');
    await Promise.all([old.close(), both.close(), fresh.close()]);
  });
});

describe('The module', () => {
  it('takes options and a principal source that need other providers', async () => {
    @Injectable()
    class Config {
      readonly name = 'from config';
    }
    @Injectable()
    class Directory {
      readonly caller = 'ada';
    }
    @Module({ providers: [Config], exports: [Config] })
    class ConfigModule {}
    @Module({ providers: [Directory], exports: [Directory] })
    class DirectoryModule {}
    @Injectable()
    class DirectorySource extends McpPrincipalSource {
      constructor(private readonly directory: Directory) {
        super();
      }

      override currentPrincipal(_: McpExchange): string {
        return this.directory.caller;
      }
    }
    @Injectable()
    class Tools {
      @McpTool({ description: 'Who' })
      who(@McpContext() ctx: McpToolContext): string {
        return String(ctx.principal);
      }
    }
    @Module({
      imports: [
        McpModule.forRootAsync({
          imports: [ConfigModule],
          inject: [Config],
          useFactory: async (config: Config) => ({
            server: { name: config.name, version: '2', instructions: 'Ask nicely' },
            replay: { secret: SECRET },
          }),
          principalSource: { imports: [DirectoryModule], useClass: DirectorySource },
        }),
      ],
      providers: [Tools],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    const url = `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/mcp`;
    expect(textOf(await callTool(url, 'who'))).toBe('ada');
    expect(resultOf(await send(url, 'server/discover'))).toMatchObject({
      instructions: 'Ask nicely',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'from config', version: '2' } },
    });
    await app.close();
  });

  it('finds handlers on providers of every kind, in every module', async () => {
    class Base {
      constructor(private readonly text: string) {}

      @McpTool({ description: 'Inherited' })
      inherited(): string {
        return this.text;
      }
    }
    @Injectable()
    class ByClass extends Base {
      constructor() {
        super('inherited');
      }

      @McpTool({ description: 'By class' })
      byClass(): string {
        return 'class';
      }
    }
    class Other {
      constructor(private readonly text: string) {}

      @McpTool({ description: 'Of a value' })
      ofValue(): string {
        return this.text;
      }
    }
    class Made {
      @McpTool({ description: 'Of a factory' })
      ofFactory(): string {
        return 'factory';
      }
    }
    @Controller()
    class OnController {
      @McpTool({ description: 'On a controller' })
      onController(): string {
        return 'controller';
      }
    }
    @Module({ providers: [{ provide: 'made', useFactory: async () => new Made() }] })
    class DeepModule {}
    @Module({ imports: [DeepModule], controllers: [OnController] })
    class FeatureModule {}
    const server = await startServer({
      imports: [FeatureModule],
      providers: [
        ByClass,
        { provide: 'alias', useExisting: ByClass },
        { provide: 'value', useValue: new Other('value') },
        { provide: 'nothing', useValue: null },
        { provide: 'text', useValue: 'text' },
        { provide: 'bare', useValue: Object.create(null) as object },
      ],
    });
    for (const [name, text] of [
      ['inherited', 'inherited'],
      ['byClass', 'class'],
      ['ofValue', 'value'],
      ['ofFactory', 'factory'],
      ['onController', 'controller'],
    ] as const) {
      expect(textOf(await callTool(server.url, name))).toBe(text);
    }
    await server.close();
  });

  it('says what it found, and warns when that is nothing', async () => {
    class Tools {
      @McpTool({ description: 'x' })
      @McpPrompt()
      both(): string {
        return '';
      }
    }
    const server = await startServer({ providers: [Tools] });
    expect(server.logs.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Found 1 tool, 1 prompt, 0 resources'),
    );
    await server.close();
    const logs = await bootWith({ replay: { secret: SECRET } });
    expect(logs.filter(({ level }) => level === 'warn').map(({ text }) => text)).toEqual([
      expect.stringContaining('No handlers were found'),
    ]);
  });

  it('works without an HTTP server', async () => {
    const logs = await bootWith({ replay: { secret: SECRET } });
    expect(logs.filter(({ text }) => text.includes('Serving MCP'))).toEqual([]);
  });
});

describe('Input and output', () => {
  class Point {
    @McpProperty({ title: 'Label', description: 'What the point is called' })
    @IsString()
    label!: string;
  }

  @Injectable()
  class Tools {
    @McpTool({ description: 'By the parameter’s class' })
    byParameter(@McpArgs() args: Point): string {
      return `${args instanceof Point} ${args.label}`;
    }

    @McpTool({
      description: 'By zod',
      input: z.object({ n: z.number().int().default(3), when: z.iso.date().optional() }),
      output: z.object({ double: z.number() }),
    })
    byZod(@McpArgs() args: { n: number }): { double: number } {
      return { double: args.n * 2 };
    }

    @McpTool({
      description: 'By JSON Schema',
      input: {
        type: 'object',
        properties: { a: { $ref: '#/$defs/word' } },
        required: ['a'],
        $defs: { word: { type: 'string', pattern: '^[a-z]+$' } },
      },
      output: { type: 'array', items: { type: 'string' } },
    })
    byJsonSchema(@McpArg('a') a: string): string[] {
      return a === 'bad' ? ([5] as unknown as string[]) : [a];
    }

    @McpTool({ description: 'None' })
    none(): void {
      // Returns nothing.
    }
  }

  let server: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    server = await startServer({ providers: [Tools] });
  });
  afterAll(() => server.close());

  it('are listed as JSON Schema', async () => {
    const { tools } = resultOf(await send(server.url, 'tools/list')) as unknown as {
      tools: { name: string; inputSchema: object; outputSchema?: object }[];
    };
    expect(
      tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
    ).toEqual([
      {
        name: 'byParameter',
        inputSchema: {
          type: 'object',
          properties: {
            label: {
              type: 'string',
              title: 'Label',
              description: 'What the point is called',
            },
          },
          required: ['label'],
          additionalProperties: false,
        },
      },
      {
        name: 'byZod',
        inputSchema: expect.objectContaining({
          type: 'object',
          properties: expect.anything() as unknown,
        }) as unknown,
        outputSchema: expect.objectContaining({ required: ['double'] }) as unknown,
      },
      {
        name: 'byJsonSchema',
        inputSchema: {
          type: 'object',
          properties: { a: { $ref: '#/$defs/word' } },
          required: ['a'],
          $defs: { word: { type: 'string', pattern: '^[a-z]+$' } },
        },
        outputSchema: { type: 'array', items: { type: 'string' } },
      },
      { name: 'none', inputSchema: { type: 'object', additionalProperties: false } },
    ]);
  });

  it('are validated and converted', async () => {
    expect(textOf(await callTool(server.url, 'byParameter', { label: 'x' }))).toBe('true x');
    expect(resultOf(await callTool(server.url, 'byZod', {}))).toMatchObject({
      structuredContent: { double: 6 },
      content: [{ type: 'text', text: '{"double":6}' }],
    });
    expect(
      resultOf(await callTool(server.url, 'byJsonSchema', { a: 'x' })).structuredContent,
    ).toEqual(['x']);
    expect(resultOf(await callTool(server.url, 'none')).content).toEqual([]);
  });

  it.each([
    ['byParameter', { label: 1 }, 'label must be a string'],
    ['byParameter', { label: 'x', more: 1 }, 'more is not known here'],
    ['byZod', { n: 1.5 }, 'n Invalid input: expected int, received number'],
    ['byJsonSchema', { a: 'X' }, 'a must match pattern'],
    ['none', { a: 1 }, 'a is not known here'],
  ])('that do not fit are for the model to correct: %s %j', async (name, args, text) => {
    const result = resultOf(await callTool(server.url, name, args));
    expect(result.isError).toBe(true);
    expect(result.content?.[0]?.text).toContain(text);
  });

  it('that the handler itself breaks are the server’s fault, and logged', async () => {
    const response = await callTool(server.url, 'byJsonSchema', { a: 'bad' });
    expect(response.status).toBe(500);
    expect(response.body.error).toEqual({ code: -32603, message: 'Internal error' });
    const errors = server.logs.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.text).toContain(
      '"byJsonSchema" returned a value that cannot be sent: it breaks the output schema: 0 must be string',
    );
  });
});
