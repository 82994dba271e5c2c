import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Injectable,
  ParseArrayPipe,
  Param,
  type PipeTransform,
  Post,
  type Provider,
  type Type,
  UsePipes,
} from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  HandlerDefinitionException,
  McpArg,
  McpArgs,
  McpCompletion,
  McpContext,
  McpElicit,
  McpElicitor,
  McpHandler,
  McpHeader,
  McpPrincipal,
  McpPrompt,
  McpResource,
  McpSignal,
  McpTool,
  McpToolContext,
  McpValue,
} from '@dacapo/mcp';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, resultOf, send, textOf } from '../support/wire.js';

class Named {
  @IsString()
  name!: string;
}

class Undecorated {
  name!: string;
}

/** Boots an application with one class, and returns why it would not. */
async function complaint(
  provider: Type,
  as: 'providers' | 'controllers' = 'providers',
): Promise<string> {
  const error = await startServer({ [as]: [provider] }).then(
    (server) => server.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HandlerDefinitionException);
  return (error as Error).message;
}

async function served(...providers: Provider[]): Promise<TestServer> {
  return startServer({ providers });
}

describe('The boot stops at @McpArgs() whose type says nothing', () => {
  it('on a prompt, for an interface and for a class without decorators', async () => {
    @Injectable()
    class Shapeless {
      @McpPrompt()
      write(@McpArgs() { q }: { q: string }): string {
        return q;
      }
    }
    @Injectable()
    class ByClass {
      @McpPrompt()
      write(@McpArgs() { name }: Undecorated): string {
        return name;
      }
    }
    expect(await complaint(Shapeless)).toBe(
      'Shapeless.write: nothing says what @McpArgs() accepts. ' +
        'Type the parameter with a class-validator DTO, or give @McpPrompt({ input }).',
    );
    expect(await complaint(ByClass)).toBe(
      'ByClass.write: nothing says what @McpArgs() accepts: the class Undecorated has no class-validator decorators. ' +
        'Decorate its properties, or give @McpPrompt({ input }).',
    );
  });

  it('on a tool, for a class without decorators', async () => {
    @Injectable()
    class Tools {
      @McpTool()
      run(@McpArgs() _args: Undecorated): void {
        // Never called.
      }
    }
    expect(await complaint(Tools)).toBe(
      'Tools.run: nothing says what @McpArgs() accepts: the class Undecorated has no class-validator decorators. ' +
        'Decorate its properties, or give @McpTool({ input }).',
    );
  });

  it('on a template, for a class without decorators', async () => {
    @Injectable()
    class Pages {
      @McpResource({ uriTemplate: 'docs://{name}' })
      read(@McpArgs() { name }: Undecorated): string {
        return name;
      }
    }
    expect(await complaint(Pages)).toBe(
      'Pages.read: nothing says what @McpArgs() accepts: the class Undecorated has no class-validator decorators. ' +
        'Decorate its properties, or type the parameter Record<string, string>.',
    );
  });

  it('where no types are emitted', async () => {
    class Tools {
      run(_args: Named): void {
        // Never called.
      }
    }
    // As a compiler without emitDecoratorMetadata leaves it.
    McpArgs()(Tools.prototype, 'run', 0);
    McpTool()(Tools.prototype, 'run', { value: Tools.prototype.run });
    expect(await complaint(Tools)).toBe(
      'Tools.run: nothing says what @McpArgs() accepts: its parameters have no types at run time. ' +
        'Turn on emitDecoratorMetadata (tsx and esbuild do not emit it), or give @McpTool({ input }).',
    );
  });

  it('but not where something else says it', async () => {
    @Injectable()
    class Prompts {
      @McpPrompt({ input: { type: 'object', additionalProperties: { type: 'string' } } })
      any(@McpArgs() args: Record<string, string>): string {
        return JSON.stringify(args);
      }

      @McpPrompt()
      both(@McpArgs() args: Record<string, string>, @McpArg('a') a: string): string {
        return JSON.stringify([args, a]);
      }
    }
    const server = await served(Prompts);
    for (const [name, args, text] of [
      ['any', { a: '1', b: '2' }, '{"a":"1","b":"2"}'],
      ['both', { a: '1' }, '[{"a":"1"},"1"]'],
    ] as const) {
      expect(
        resultOf(await send(server.url, 'prompts/get', { name, arguments: args })),
      ).toMatchObject({ messages: [{ content: { text } }] });
    }
    const odd = { name: 'both', arguments: { a: '1', b: '2' } };
    expect(errorOf(await send(server.url, 'prompts/get', odd)).code).toBe(-32602);
    await server.close();
  });
});

describe('The boot stops at @McpArg() of a type that text is not', () => {
  it('on a prompt and on a template', async () => {
    @Injectable()
    class Prompts {
      @McpPrompt()
      plan(@McpArg('day') day: Date): string {
        return day.toISOString();
      }
    }
    @Injectable()
    class Pages {
      @McpResource({ uriTemplate: 'docs://{tags}' })
      read(@McpArg('tags') tags: string[]): string {
        return tags.join();
      }
    }
    expect(await complaint(Prompts)).toBe(
      'Prompts.plan: @McpArg("day") is typed Date, and arrives as text. ' +
        'Type it string, number or boolean, or add a pipe that converts it.',
    );
    expect(await complaint(Pages)).toBe(
      'Pages.read: @McpArg("tags") is typed Array, and arrives as text. ' +
        'Type it string, number or boolean, or add a pipe that converts it.',
    );
  });

  it('but not where a pipe converts it', async () => {
    class ToDate implements PipeTransform {
      transform(value: string): Date {
        return new Date(value);
      }
    }
    @Injectable()
    class Prompts {
      @McpPrompt()
      plan(
        @McpArg('day', ToDate) day: Date,
        @McpArg('tags', { title: 'Tags' }, ParseArrayPipe) tags: string[],
      ): string {
        return `${day.getUTCFullYear()} ${tags.length}`;
      }

      @McpPrompt()
      @UsePipes(ToDate)
      when(@McpArg('day') day: Date): string {
        return String(day.getUTCFullYear());
      }
    }
    const server = await served(Prompts);
    for (const [name, args, text] of [
      ['plan', { day: '2026-07-28', tags: 'a,b' }, '2026 2'],
      ['when', { day: '2026-07-28' }, '2026'],
    ] as const) {
      expect(
        resultOf(await send(server.url, 'prompts/get', { name, arguments: args })),
      ).toMatchObject({ messages: [{ content: { text } }] });
    }
    await server.close();
  });
});

describe('The boot stops at a method that was not made a handler, though it has', () => {
  const User = createParamDecorator((_: unknown, context: ExecutionContext) => context.getType());

  it.each<[string, ParameterDecorator]>([
    ['@McpArgs()', McpArgs()],
    ['@McpArg()', McpArg('a')],
    ['@McpContext()', McpContext()],
    ['@McpElicit()', McpElicit()],
    ['@McpPrincipal()', McpPrincipal()],
    ['@McpSignal()', McpSignal()],
    ['@McpValue()', McpValue()],
  ])('%s', async (decorator, decorate) => {
    @Injectable()
    class X {
      hello(@User() _user: string, @decorate _second: unknown): void {
        // Never called.
      }
    }
    expect(await complaint(X)).toBe(
      `X.hello: it has ${decorator} but is no handler. ` +
        'Decorate it with @McpTool(), @McpPrompt(), @McpResource(), @McpCompletion() or @McpHandler().',
    );
  });

  it('on a controller, among plain routes too', async () => {
    @Controller('accounts')
    class Accounts {
      @Post()
      open(@McpArgs() { name }: Named): string {
        return name;
      }
    }
    expect(await complaint(Accounts, 'controllers')).toContain(
      'Accounts.open: it has @McpArgs() but is no handler.',
    );
  });

  it('but leaves plain routes and every kind of handler alone', async () => {
    @Controller('accounts')
    class Accounts {
      @Get(':id')
      read(@Param('id') id: string, @User() user: string): string {
        return `${id} ${user}`;
      }

      @Post()
      @McpTool()
      open(@McpArgs() { name }: Named): string {
        return name;
      }

      @Post('bare')
      bare(@Body() { name }: Named, @Param() _all: object): string {
        return name;
      }

      @McpHandler()
      later(@McpContext() ctx: McpToolContext): string {
        return ctx.handlerName;
      }

      @McpPrompt()
      greet(@McpArg('who') who: string): string {
        return who;
      }

      @McpCompletion({ prompt: 'greet', argument: 'who' })
      who(@McpValue() typed: string): string[] {
        return [typed];
      }
    }
    const server = await startServer({ controllers: [Accounts] });
    const id = await fetch(new URL('/accounts/7', server.url));
    expect(await id.text()).toBe('7 http');
    expect(textOf(await callTool(server.url, 'open', { name: 'Ada' }))).toBe('Ada');
    await server.close();
  });

  it('but leaves alone what a subclass has replaced', async () => {
    class Base {
      @McpTool()
      ask(@McpElicit() elicitor: McpElicitor): string {
        return typeof elicitor;
      }

      @McpTool()
      stay(): string {
        return 'stayed';
      }
    }
    @Injectable()
    class Sub extends Base {
      override ask(): string {
        return 'no tool any more';
      }
    }
    const server = await served(Sub);
    const { tools } = resultOf(await send(server.url, 'tools/list')) as unknown as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['stay']);
    await server.close();
  });
});

describe('A class that is compiled with standard decorators', () => {
  const text =
    '@McpTool() is compiled as a standard decorator, which has no types and no parameter decorators. ' +
    'Turn on experimentalDecorators and emitDecoratorMetadata in tsconfig.json.';

  it.each<[string, MethodDecorator | PropertyDecorator, string, string]>([
    ['McpTool', McpTool(), 'method', 'hello'],
    ['McpHandler', McpHandler(), 'method', 'hello'],
    ['McpCompletion', McpCompletion({ prompt: 'a', argument: 'b' }), 'method', 'hello'],
    ['McpHeader', McpHeader('Region'), 'field', 'region'],
  ])('is refused by @%s()', (name, decorator, kind, member) => {
    const standard = decorator as unknown as (value: unknown, context: object) => void;
    const decorate = (): void =>
      standard(kind === 'method' ? () => undefined : undefined, {
        kind,
        name: member,
        static: false,
        private: false,
        addInitializer: () => undefined,
      });
    expect(decorate).toThrow(HandlerDefinitionException);
    expect(decorate).toThrow(new Error(`(class).${member}: ${text.replace('McpTool', name)}`));
  });
});
