import { Injectable, Module, type OnModuleInit, type Provider, type Type } from '@nestjs/common';
import { IsString } from 'class-validator';
import {
  McpArg,
  McpArgs,
  McpCompletion,
  McpCompletionContext,
  type McpCompletionOptions,
  McpContext,
  McpElicit,
  McpElicitor,
  McpHandler,
  McpModule,
  McpPrompt,
  McpPromptContext,
  McpRegistry,
  McpResource,
  McpServer,
  McpTool,
  McpValue,
} from '@dacapo/mcp';
import { startServer } from '../support/test-server.js';
import { errorOf, resultOf, send, type WireResponse } from '../support/wire.js';

class Dto {
  @IsString()
  topic!: string;
}

@Injectable()
class Plans {
  @McpPrompt()
  plan(
    @McpArg('topic') topic: string,
    @McpArg('days') days: string,
    @McpArg('style', { complete: ['short'] }) style: string,
  ): string {
    return topic + days + style;
  }

  @McpResource({ uriTemplate: 'docs://{slug}' })
  page(@McpArg('slug') slug: string): string {
    return slug;
  }

  @McpResource({ uri: 'docs://readme' })
  readme(): string {
    return '';
  }
}

/** Boots an application with the plans and one class, and returns why it would not. */
async function complaint(...providers: Provider[]): Promise<string> {
  try {
    const server = await startServer({ providers: [Plans, ...providers] });
    await server.close();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  throw new Error('it booted');
}

const TOPIC = { prompt: 'plan', argument: 'topic' } as const;

/** A completion that takes nothing. */
function completing(options: object): Type<object> {
  @Injectable()
  class Completions {
    @McpCompletion(options as McpCompletionOptions)
    run(): string[] {
      return [];
    }
  }
  return Completions;
}

describe('The boot stops, naming class, method and mend, at a completion', () => {
  it.each([
    [
      'of an unknown prompt',
      { prompt: 'plna', argument: 'topic' },
      'it completes the prompt "plna", which the server "default" does not have. Correct the name; there are: plan.',
    ],
    [
      'of an unknown template',
      { resource: 'docs://{page}', argument: 'page' },
      'it completes the resource template "docs://{page}", which the server "default" does not have. Correct the name; there are: docs://{slug}.',
    ],
    [
      'of a resource with one uri',
      { resource: 'docs://readme', argument: 'page' },
      'it completes the resource template "docs://readme", which the server "default" does not have. Correct the name; there are: docs://{slug}.',
    ],
    [
      'of an unknown argument',
      { prompt: 'plan', argument: 'tpoic' },
      'the prompt "plan" has no argument "tpoic". Correct the name; there are: topic, days, style.',
    ],
    [
      'of an unknown variable',
      { resource: 'docs://{slug}', argument: 'page' },
      'the resource template "docs://{slug}" has no argument "page". Correct the name; there are: slug.',
    ],
    [
      'of an argument that has a list',
      { prompt: 'plan', argument: 'style' },
      'the argument "style" of the prompt "plan" has a complete option too. Remove one of them.',
    ],
    [
      'of nothing',
      { argument: 'topic' },
      '@McpCompletion() must name either a prompt or a resource template. Write @McpCompletion({ prompt: name, argument }) or @McpCompletion({ resource: uriTemplate, argument }).',
    ],
    [
      'of two things',
      { prompt: 'plan', resource: 'docs://{slug}', argument: 'topic' },
      '@McpCompletion() must name either a prompt or a resource template. Write @McpCompletion({ prompt: name, argument }) or @McpCompletion({ resource: uriTemplate, argument }).',
    ],
    [
      'without an argument',
      { prompt: 'plan' },
      '@McpCompletion() does not say which argument it completes. Give it as "argument".',
    ],
    ...['requires', 'once', 'visible', 'title', 'name', 'meta'].map((option) => [
      `with the option ${option}`,
      { ...TOPIC, [option]: true },
      `@McpCompletion() has an option "${option}", which completions do not have. Leave it out; there are prompt, resource, argument, timeoutMs, maxConcurrent.`,
    ]),
    [
      'with a time limit that cannot be kept',
      { ...TOPIC, timeoutMs: 0 },
      'its timeoutMs is 0. Give an integer of 1 to 2147483647.',
    ],
  ] as [string, object, string][])('%s', async (_, options, message) => {
    expect(await complaint(completing(options))).toBe(
      `HandlerDefinitionException: Completions.run: ${message}`,
    );
  });

  it('of an argument that another one completes', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      one(): string[] {
        return [];
      }

      @McpCompletion(TOPIC)
      other(): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toBe(
      'HandlerDefinitionException: Completions.other: the completion of the prompt "plan", argument "topic" is already taken by Completions.one. Remove one of them.',
    );
  });

  it('with a value that is no text', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpValue() _value: number): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: @McpValue() is typed Number, and what somebody has typed is text. Type the parameter string.',
    );
  });

  it('that wants to ask', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpElicit() _elicitor: McpElicitor): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: a completion cannot ask anybody. Leave out @McpElicit()',
    );
  });

  it('with the context of something else', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpContext() _ctx: McpPromptContext): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: @McpContext() is typed McpPromptContext, which a completion does not have. Type the parameter McpCompletionContext.',
    );
  });

  it('that takes what it completes for an argument', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpArg('topic') _topic: string): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: @McpArg("topic") names the argument that is completed, which has no value yet. Use @McpValue()',
    );
  });

  it('that takes an argument there is not', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpArg('dyas') _days: string): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: the prompt "plan" has no argument "dyas". Correct the name; there are: topic, days, style.',
    );
  });

  it('that takes a DTO', async () => {
    @Injectable()
    class Completions {
      @McpCompletion(TOPIC)
      run(@McpArgs() _args: Dto): string[] {
        return [];
      }
    }
    expect(await complaint(Completions)).toContain(
      'Completions.run: @McpArgs() is typed with a DTO, and arguments are neither complete nor validated while they are typed. Type the parameter Record<string, string>.',
    );
  });

  it('on a static method', () => {
    expect(() => {
      class Completions {
        @McpCompletion(TOPIC)
        static run(): string[] {
          return [];
        }
      }
      return Completions;
    }).toThrow('Completions.run: @McpCompletion() is on a static method.');
  });
});

describe('The boot stops at what only completions, or only prompts, have', () => {
  it('a value in a prompt', async () => {
    @Injectable()
    class Prompts {
      @McpPrompt()
      run(@McpValue() value: string): string {
        return value;
      }
    }
    expect(await complaint(Prompts)).toContain(
      'Prompts.run: only a completion has a value to inject. Use @McpArg(name), or decorate the method with @McpCompletion().',
    );
  });

  it('a list for the argument of a tool', async () => {
    @Injectable()
    class Tools {
      @McpTool()
      run(@McpArg('x', { complete: ['a'] }) x: string): string {
        return x;
      }
    }
    expect(await complaint(Tools)).toContain(
      'Tools.run: @McpArg("x") has a complete option, and only arguments of prompts and resource templates are completed. Leave it out.',
    );
  });

  it.each([
    ['an empty list', []],
    ['a list of numbers', [1]],
    ['text', 'a'],
  ])('%s to complete with', async (_, complete) => {
    @Injectable()
    class Prompts {
      @McpPrompt()
      run(@McpArg('x', { complete: complete as unknown as string[] }) x: string): string {
        return x;
      }
    }
    expect(await complaint(Prompts)).toContain(
      'Prompts.run: the complete option of @McpArg("x") has nothing to show. Give a list of strings, or a function (value, args, exchange) => suggestions.',
    );
  });
});

describe('A completion', () => {
  const complete = (url: string, name: string): Promise<WireResponse> =>
    send(url, 'completion/complete', {
      ref: { type: 'ref/prompt', name },
      argument: { name: 'topic', value: '' },
    });

  it('may complete what another provider adds as it is initialised', async () => {
    @Injectable()
    class Late implements OnModuleInit {
      constructor(private readonly registry: McpRegistry) {}

      onModuleInit(): void {
        this.registry.addPrompt({ name: 'late' }, Late, 'run');
      }

      @McpHandler()
      run(@McpArg('topic') topic: string): string {
        return topic;
      }

      @McpCompletion({ prompt: 'late', argument: 'topic' })
      topics(@McpContext() { handlerName }: McpCompletionContext): string[] {
        return [handlerName];
      }
    }
    const server = await startServer({ providers: [Late] });
    expect(resultOf(await complete(server.url, 'late'))['completion']).toMatchObject({
      values: ['late'],
    });
    await server.close();
  });

  it('belongs to the servers of its class', async () => {
    @Injectable()
    @McpServer('a', 'b')
    class Shared {
      @McpPrompt()
      shared(@McpArg('topic') topic: string): string {
        return topic;
      }
    }
    @Injectable()
    @McpServer('b')
    class OnlyB {
      @McpCompletion({ prompt: 'shared', argument: 'topic' })
      topics(): string[] {
        return ['of b'];
      }
    }
    @Module({
      imports: [
        McpModule.forRoot({ name: 'a', path: '/a', server: { name: 'a', version: '1.0.0' } }),
        McpModule.forRoot({ name: 'b', path: '/b', server: { name: 'b', version: '1.0.0' } }),
      ],
      providers: [Shared, OnlyB],
    })
    class Servers {}
    const server = await startServer({ imports: [Servers] });
    const url = (path: string): string => server.url.replace('/mcp', path);
    expect(resultOf(await complete(url('/b'), 'shared'))['completion']).toMatchObject({
      values: ['of b'],
    });
    expect(errorOf(await complete(url('/a'), 'shared')).code).toBe(-32601);
    expect(errorOf(await complete(server.url, 'shared')).code).toBe(-32601);
    await server.close();
  });

  it('must have its prompt in each of the servers of its class', async () => {
    @Injectable()
    @McpServer('admin')
    class Completions {
      @McpCompletion(TOPIC)
      topics(): string[] {
        return [];
      }
    }
    const booting = startServer({
      imports: [
        McpModule.forRoot({
          name: 'admin',
          path: '/admin',
          server: { name: 'admin', version: '1.0.0' },
        }),
      ],
      providers: [Plans, Completions],
    });
    await expect(booting).rejects.toThrow(
      'Completions.topics: it completes the prompt "plan", which the server "admin" does not have. Correct the name; there are: none.',
    );
  });
});
