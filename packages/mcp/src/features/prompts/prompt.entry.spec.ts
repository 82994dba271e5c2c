import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { IsEnum, IsInt, IsOptional, IsString } from 'class-validator';
import { McpPromptContext } from '../../context/index.js';
import { McpHeader, McpParamtype, type McpPromptOptions } from '../../decorators/index.js';
import type { HandlerHost, HandlerParam } from '../../discovery/index.js';
import { HandlerDefinitionException, InvalidArgumentsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { type HandlerInvokerFactory, VisibilityRules } from '../../pipeline/index.js';
import type { Round } from '../../replay/index.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { compilePrompt, type PromptEntry } from './prompt.entry.js';
import { ResolvedOptions } from '../../options/index.js';

enum Size {
  Small,
  Large,
}

class Trip {
  @IsString()
  to!: string;

  @IsOptional()
  @IsInt()
  days?: number;
}

class Routed {
  @McpHeader('Region')
  @IsString()
  region!: string;
}

class Travel {}

const invoke = async (): Promise<unknown> => 'done';
const compiler = new HandlerCompiler(
  { create: () => invoke, createGate: () => invoke } as unknown as HandlerInvokerFactory,
  new VisibilityRules({} as ModuleRef, null),
  new ResolvedOptions({ server: { name: 's', version: '1' } }),
  null,
);

function compile(
  options: McpPromptOptions = {},
  params: Partial<HandlerParam>[] = [],
): PromptEntry {
  const host = {
    classRef: Travel as Type<object>,
    methodName: 'plan',
    params: params.map((param, index) => ({
      index,
      paramtype: McpParamtype.Arg,
      options: {},
      type: String,
      ...param,
    })),
  } as unknown as HandlerHost;
  return compilePrompt({ kind: 'prompt', host, options }, compiler);
}

describe('compilePrompt', () => {
  it('names the prompt after the method, without arguments', async () => {
    const prompt = compile();
    expect(prompt.descriptor).toEqual({ name: 'plan' });
    expect(prompt).toMatchObject({ kind: 'prompt', name: 'plan', source: 'Travel.plan', invoke });
    expect(prompt.prepare({})).toEqual({});
    expect(() => prompt.prepare({ to: 'Rome' })).toThrow(InvalidArgumentsException);
  });

  it('describes everything it is told', () => {
    const options: McpPromptOptions = {
      name: 'plan a trip',
      title: 'Plan',
      description: 'Plans a trip',
      icons: [{ src: 'https://example.com/icon.png' }],
      meta: { 'com.example/x': 1 },
    };
    expect(compile(options).descriptor).toEqual({
      name: 'plan a trip',
      title: 'Plan',
      description: 'Plans a trip',
      icons: options.icons,
      _meta: options.meta,
    });
  });

  it('lists @McpArg() parameters one by one', () => {
    const params = [
      { paramtype: McpParamtype.Context },
      { name: 'to', options: { title: 'To', description: 'Where' } },
      { name: 'days', type: Number, options: { required: false } },
      { paramtype: 'custom' as const, name: 'user' },
    ];
    expect(compile({}, params).descriptor.arguments).toEqual([
      { name: 'to', title: 'To', description: 'Where', required: true },
      { name: 'days', required: false },
    ]);
  });

  it('lists the properties of a DTO, and of a given schema', () => {
    const ofDto = [
      { name: 'to', required: true },
      { name: 'days', required: false },
    ];
    expect(
      compile({}, [{ paramtype: McpParamtype.Args, type: Trip }]).descriptor.arguments,
    ).toEqual(ofDto);
    expect(compile({ input: Trip }).descriptor.arguments).toEqual(ofDto);
    expect(
      compile({
        input: { type: 'object', properties: { to: { title: 'To' } }, required: ['to'] },
      }).descriptor.arguments,
    ).toEqual([{ name: 'to', title: 'To', required: true }]);
  });

  it('converts strings, which are all that arguments of a prompt can be', async () => {
    const { prepare } = compile({}, [
      { name: 'days', type: Number },
      { name: 'all', type: Boolean },
    ]);
    expect(prepare({ days: '3', all: 'false' })).toEqual({ days: 3, all: false });
    expect(() => prepare({ days: 'many', all: 'false' })).toThrow(
      'Invalid arguments for "plan": days must be number.',
    );
    const dto = compile({}, [{ paramtype: McpParamtype.Args, type: Trip }]);
    const args = await dto.prepare({ to: 'Rome', days: '3' });
    expect(args).toBeInstanceOf(Trip);
    expect(args).toEqual({ to: 'Rome', days: 3 });
  });

  it('converts to the values of an enum of numbers', async () => {
    class Order {
      @IsEnum(Size)
      size!: Size;
    }
    expect(await compile({ input: Order }).prepare({ size: '1' })).toEqual({ size: Size.Large });
  });

  it('refuses a missing argument', () => {
    const { prepare } = compile({}, [{ name: 'to' }]);
    expect(() => prepare({})).toThrow(
      new Error(`Invalid arguments for "plan": must have required property 'to'.`),
    );
  });

  it('takes any strings, and only strings, where the input says so', () => {
    const input = { type: 'object', additionalProperties: { type: 'string' } };
    const prompt = compile({ input }, [{ paramtype: McpParamtype.Args, type: Object }]);
    expect(prompt.descriptor).not.toHaveProperty('arguments');
    expect(prompt.prepare({ a: 'x', b: '5' })).toEqual({ a: 'x', b: '5' });
    expect(() => prompt.prepare({ a: 5 })).toThrow(InvalidArgumentsException);
  });

  it('makes a context for the name that was called', () => {
    const context = compile().contextFor('plan', {} as McpExchange, { round: 2 } as Round);
    expect(context).toBeInstanceOf(McpPromptContext);
    expect([context.handlerName, context.round]).toEqual(['plan', 2]);
  });

  it('refuses an argument that the given input does not have', () => {
    expect(() => compile({ input: Trip }, [{ name: 'from' }])).toThrow(HandlerDefinitionException);
    expect(() => compile({ input: Trip }, [{ name: 'from' }])).toThrow(
      new Error(
        'Travel.plan: @McpArg("from") names nothing in the input schema. Add it to the input schema, or correct the name.',
      ),
    );
  });

  it.each<[string, Partial<HandlerParam>[], string]>([
    [
      'an interface',
      [{ type: Object }],
      'nothing says what @McpArgs() accepts. Type the parameter with a class-validator DTO, or give @McpPrompt({ input }).',
    ],
    [
      'a class without decorators, whatever else is there',
      [{ type: Travel }, { paramtype: McpParamtype.Arg, name: 'to' }],
      'nothing says what @McpArgs() accepts: the class Travel has no class-validator decorators. Decorate its properties, or give @McpPrompt({ input }).',
    ],
    [
      'nothing that is known',
      [{ type: undefined }],
      'nothing says what @McpArgs() accepts: its parameters have no types at run time. ' +
        'Turn on emitDecoratorMetadata (tsx and esbuild do not emit it), or give @McpPrompt({ input }).',
    ],
  ])('refuses @McpArgs() that is typed with %s', (_, params, rest) => {
    const compiled = (): unknown =>
      compile(
        {},
        params.map((param) => ({ paramtype: McpParamtype.Args, ...param })),
      );
    expect(compiled).toThrow(HandlerDefinitionException);
    expect(compiled).toThrow(new Error(`Travel.plan: ${rest}`));
  });

  it('takes @McpArgs() for what @McpArg() names', () => {
    const { prepare } = compile({}, [
      { paramtype: McpParamtype.Args, type: Object },
      { name: 'days', type: Number },
    ]);
    expect(prepare({ days: '3' })).toEqual({ days: 3 });
  });

  it('refuses an input that does not describe an object', () => {
    expect(() => compile({ input: { type: 'string' } })).toThrow(HandlerDefinitionException);
  });

  it.each<[string, McpPromptOptions, Partial<HandlerParam>[], string]>([
    [
      'an option that prompts do not have',
      { output: Trip } as McpPromptOptions,
      [],
      '@McpPrompt() has an option "output", which prompts do not have. Leave it out; there are title, ' +
        'description, meta, requires, timeoutMs, maxConcurrent, ttlMs, onMismatch, once, visible, name, input, icons.',
    ],
    [
      'an input beside a DTO that would not be looked at',
      { input: { type: 'object' } },
      [{ paramtype: McpParamtype.Args, type: Trip }],
      'it has an input, and @McpArgs() is typed Trip, whose decorators would never run. ' +
        'Leave out the input, or type the parameter as an interface.',
    ],
    [
      'a header, which nobody would mirror',
      {},
      [{ paramtype: McpParamtype.Args, type: Routed }],
      'its arguments have @McpHeader() or "x-mcp-header", and clients mirror arguments of tools only. ' +
        'Leave it out, or give the tool a class of its own.',
    ],
    [
      'a header in a schema',
      {
        input: { type: 'object', properties: { to: { type: 'string', 'x-mcp-header': 'To' } } },
      },
      [],
      'its arguments have @McpHeader() or "x-mcp-header", and clients mirror arguments of tools only. ' +
        'Leave it out, or give the tool a class of its own.',
    ],
  ])('refuses %s', (_, options, params, rest) => {
    expect(() => compile(options, params)).toThrow(HandlerDefinitionException);
    expect(() => compile(options, params)).toThrow(new Error(`Travel.plan: ${rest}`));
  });

  it('refuses an empty name', () => {
    expect(() => compile({ name: '' })).toThrow(HandlerDefinitionException);
  });
});
