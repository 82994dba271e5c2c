import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';
import { z } from 'zod';
import { McpToolContext } from '../../context/index.js';
import { McpParamtype, type McpToolOptions } from '../../decorators/index.js';
import type { HandlerHost, HandlerParam } from '../../discovery/index.js';
import { HandlerDefinitionException, InvalidArgumentsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { type HandlerInvokerFactory, VisibilityRules } from '../../pipeline/index.js';
import type { Round } from '../../replay/index.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { compileTool, type ToolEntry } from './tool.entry.js';
import { ResolvedOptions } from '../../options/index.js';

class Transfer {
  @IsString()
  to!: string;

  @IsInt()
  amount = 1;
}

class LargeTransfer extends Transfer {
  @IsString()
  reason!: string;
}

class Receipt {
  @IsInt()
  id!: number;
}

class Bank {}

const invoke = async (): Promise<unknown> => 'done';
const compiler = new HandlerCompiler(
  { create: () => invoke } as unknown as HandlerInvokerFactory,
  new VisibilityRules({} as ModuleRef, null),
  new ResolvedOptions({ server: { name: 's', version: '1' } }),
  null,
);

function compile(
  options: McpToolOptions = {},
  params: Partial<HandlerParam>[] = [],
  methodName = 'transfer',
): ToolEntry {
  const host = {
    classRef: Bank as Type<object>,
    methodName,
    params: params.map((param, index) => ({
      index,
      paramtype: McpParamtype.Arg,
      options: {},
      type: String,
      ...param,
    })),
  } as unknown as HandlerHost;
  return compileTool({ kind: 'tool', host, options }, compiler);
}

const ARGS = { paramtype: McpParamtype.Args, type: Transfer };
const NO_ARGUMENTS = { type: 'object', additionalProperties: false };
const TRANSFER = {
  type: 'object',
  properties: { to: { type: 'string' }, amount: { type: 'integer', default: 1 } },
  required: ['to'],
  additionalProperties: false,
};

describe('compileTool', () => {
  it('names the tool after the method, which takes no arguments by default', () => {
    const tool = compile();
    expect(tool.descriptor).toEqual({ name: 'transfer', inputSchema: NO_ARGUMENTS });
    expect(tool).toMatchObject({
      kind: 'tool',
      name: 'transfer',
      source: 'Bank.transfer',
      output: undefined,
      invoke,
    });
  });

  it('describes everything it is told', () => {
    const options: McpToolOptions = {
      name: 'bank.transfer-money_2',
      title: 'Transfer',
      description: 'Transfers money',
      input: { type: 'object', properties: { to: { type: 'string' } } },
      output: Receipt,
      annotations: { readOnlyHint: false, destructiveHint: true },
      icons: [{ src: 'https://example.com/icon.png' }],
      meta: { 'com.example/x': 1 },
    };
    expect(compile(options).descriptor).toEqual({
      name: 'bank.transfer-money_2',
      title: 'Transfer',
      description: 'Transfers money',
      inputSchema: options.input,
      outputSchema: {
        type: 'object',
        properties: { id: { type: 'integer' } },
        required: ['id'],
        additionalProperties: false,
      },
      annotations: options.annotations,
      icons: options.icons,
      _meta: options.meta,
    });
  });

  it.each<[string, McpToolOptions, Partial<HandlerParam>[], unknown]>([
    ['the DTO of @McpArgs()', {}, [ARGS], TRANSFER],
    ['a given DTO', { input: Transfer }, [], TRANSFER],
    ['the DTO of @McpArgs() that is given too', { input: Transfer }, [ARGS], TRANSFER],
    [
      'a given DTO before the one of @McpArgs() that it extends',
      { input: LargeTransfer },
      [ARGS],
      expect.objectContaining({ required: ['reason', 'to'] }),
    ],
    [
      'the DTO of one of two @McpArgs()',
      {},
      [{ paramtype: McpParamtype.Args, type: Object }, ARGS, ARGS],
      TRANSFER,
    ],
    [
      'a given schema for @McpArgs() of an interface',
      { input: { type: 'object' } },
      [{ paramtype: McpParamtype.Args, type: Object }],
      { type: 'object' },
    ],
    [
      'a given zod schema',
      { input: z.object({ to: z.string() }) },
      [],
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { to: { type: 'string' } },
        required: ['to'],
      },
    ],
    [
      'nothing for injected parameters',
      {},
      [{ paramtype: McpParamtype.Context }, { paramtype: 'custom' }],
      NO_ARGUMENTS,
    ],
  ])('shows %s', (_, options, params, schema) => {
    expect(compile(options, params).descriptor.inputSchema).toEqual(schema);
  });

  it('validates and converts the arguments', async () => {
    const { prepare } = compile({}, [ARGS]);
    const args = await prepare({ to: 'Ada' });
    expect(args).toBeInstanceOf(Transfer);
    expect(args).toEqual({ to: 'Ada', amount: 1 });
    const refused = async (): Promise<unknown> => prepare({ to: 'Ada', other: 1 });
    await expect(refused).rejects.toThrow(InvalidArgumentsException);
    await expect(refused).rejects.toThrow(
      'Invalid arguments for "transfer": other is not known here.',
    );
  });

  it('makes a context for the name that was called', () => {
    const context = compile().contextFor('transfer', {} as McpExchange, { round: 3 } as Round);
    expect(context).toBeInstanceOf(McpToolContext);
    expect([context.handlerName, context.round]).toEqual(['transfer', 3]);
  });

  it.each(['a', 'A.b-c_9', 'x'.repeat(128), '__proto__', 'constructor'])(
    'takes the name %s',
    (name) => {
      expect(compile({ name }).descriptor.name).toBe(name);
    },
  );

  it.each(['', ' ', 'a b', 'größe', 'a/b', 'a\n', 'x'.repeat(129)])(
    'refuses the name %j',
    (name) => {
      expect(() => compile({ name })).toThrow(HandlerDefinitionException);
      expect(() => compile({ name })).toThrow(
        new Error(
          `Bank.transfer: the tool name ${JSON.stringify(name)} is not usable. ` +
            'Use 1 to 128 letters, digits, "_", "-" or ".".',
        ),
      );
    },
  );

  it('knows the type of the bytes it returns, which lists do not show', () => {
    const { media, descriptor } = compile({ mimeType: 'image/png' });
    expect(media?.type).toBe('image');
    expect(descriptor).not.toHaveProperty('mimeType');
  });

  it.each<[string, McpToolOptions, Partial<HandlerParam>[], string]>([
    [
      'a mime type that is none',
      { mimeType: 'png' },
      [],
      'its mimeType "png" is no media type. Write a type and a subtype, such as "text/markdown" or "image/png".',
    ],
    [
      '@McpArgs() that nothing describes',
      {},
      [{ paramtype: McpParamtype.Args, type: Object }],
      'nothing says what @McpArgs() accepts. Type the parameter with a class-validator DTO, or give @McpTool({ input }).',
    ],
    ...[{ type: 'object' }, Receipt, z.object({})].map(
      (input): [string, McpToolOptions, Partial<HandlerParam>[], string] => [
        'an input beside a DTO that would not be looked at',
        { input: input },
        [ARGS],
        'it has an input, and @McpArgs() is typed Transfer, whose decorators would never run. ' +
          'Leave out the input, or type the parameter as an interface.',
      ],
    ),
    [
      'two DTOs, of which one would not be looked at',
      {},
      [ARGS, { paramtype: McpParamtype.Args, type: Receipt }],
      '@McpArgs() is typed Transfer and Receipt, and arguments are validated by one class. ' +
        'Leave one of them out, or make one class of both.',
    ],
    [
      'an option that tools do not have',
      { vsible: () => false } as McpToolOptions,
      [],
      '@McpTool() has an option "vsible", which tools do not have. Leave it out; there are title, description, ' +
        'meta, requires, timeoutMs, maxConcurrent, ttlMs, onMismatch, once, visible, name, input, output, mimeType, annotations, icons.',
    ],
    [
      'a mime type of what is no bytes',
      { output: Receipt, mimeType: 'image/png' },
      [],
      'it has a mimeType, which is for bytes, and an output, with which it cannot return any. Leave one of them out.',
    ],
    [
      'a visible that is no rule',
      { visible: false as unknown as () => boolean },
      [],
      'its visible is false. Give a function of the exchange, or a class that extends McpVisibility.',
    ],
    [
      'an input that is no object',
      { input: { type: 'string' } },
      [],
      'its input schema does not describe an object. Give the schema "type": "object": arguments have names.',
    ],
    [
      'an input without a type',
      { input: { properties: {} } },
      [],
      'its input schema does not describe an object. Give the schema "type": "object": arguments have names.',
    ],
    [
      'an input of zod that is no object',
      { input: z.string() },
      [],
      'its input schema does not describe an object. Give the schema "type": "object": arguments have names.',
    ],
    [
      'an argument that the input does not have',
      { input: Transfer },
      [{ name: 'from' }],
      '@McpArg("from") names nothing in the input schema. Add it to the input schema, or correct the name.',
    ],
    [
      'an argument without any input',
      {},
      [{ name: 'to' }],
      '@McpArg("to") names nothing in the input schema. Add it to the input schema, or correct the name.',
    ],
    [
      'an icon that clients must not show',
      { icons: [{ src: 'http://example.com/icon.png' }] },
      [],
      'the src of an icon is "http://example.com/icon.png", which clients must not show. Give an https: or data: URI.',
    ],
    [
      'a hint that is none',
      { annotations: { readOnlyHint: 'yes' as unknown as boolean } },
      [],
      'its readOnlyHint is "yes". Use true or false.',
    ],
    [
      'meta with a broken key',
      { meta: { 'a b': 1 } },
      [],
      'its meta has the key "a b". Name keys like "com.example/name": letters, digits, "-", "_" and ".".',
    ],
    [
      'an input of a class without decorators',
      { input: Bank },
      [],
      'its input schema cannot be used: the class Bank has no class-validator decorators. ' +
        'Give a class-validator DTO, a Standard Schema or a valid JSON Schema.',
    ],
    [
      'an output that cannot be described',
      { output: z.object({ at: z.date() }) },
      [],
      'its output schema cannot be used: Date cannot be represented in JSON Schema. ' +
        'Give a class-validator DTO, a Standard Schema or a valid JSON Schema.',
    ],
  ])('refuses %s', (_, options, params, rest) => {
    expect(() => compile(options, params)).toThrow(HandlerDefinitionException);
    expect(() => compile(options, params)).toThrow(new Error(`Bank.transfer: ${rest}`));
  });

  it('knows the arguments that travel in headers too', () => {
    const region = { type: 'string', 'x-mcp-header': 'Region' };
    const tool = compile({ input: { type: 'object', properties: { region } } });
    expect(tool.headerParams).toEqual([
      { header: 'Mcp-Param-Region', path: ['region'], type: 'string' },
    ]);
    expect(compile().headerParams).toEqual([]);
  });

  it('refuses a header that clients would refuse', () => {
    const region = { type: 'number', 'x-mcp-header': 'Region' };
    const compiled = (): unknown => compile({ input: { type: 'object', properties: { region } } });
    expect(compiled).toThrow(HandlerDefinitionException);
    expect(compiled).toThrow(
      new Error(
        'Bank.transfer: its headers cannot be mirrored: region cannot travel in a header: its "type" is "number", ' +
          'and only "string", "integer" and "boolean" can. Correct @McpHeader() or "x-mcp-header"; ' +
          'clients would leave the tool out of their lists.',
      ),
    );
  });
});
