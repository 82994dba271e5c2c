import type { Type } from '@nestjs/common';
import { IsInt, IsString } from 'class-validator';
import { z } from 'zod';
import { McpParamtype } from '../decorators/index.js';
import type { HandlerHost, HandlerParam } from '../discovery/index.js';
import { HandlerDefinitionException, InvalidArgumentsException } from '../exceptions/index.js';
import { compileSchema, type JsonSchema } from '../schema/index.js';
import {
  argsDto,
  checkArgNames,
  compileHandlerSchema,
  convertStrings,
  definitionError,
  hasArgs,
  prepareArguments,
  schemaOfParams,
} from './argument-schema.js';

class Transfer {
  @IsString()
  to!: string;

  @IsInt()
  amount!: number;
}

class Bare {
  to!: string;
}

class Bank {}

function param(rest: Partial<HandlerParam>): HandlerParam {
  return {
    index: 0,
    paramtype: McpParamtype.Arg,
    options: {},
    piped: false,
    type: String,
    ...rest,
  };
}

function host(...params: Partial<HandlerParam>[]): HandlerHost {
  return {
    classRef: Bank as Type<object>,
    methodName: 'transfer',
    params: params.map(param),
  } as unknown as HandlerHost;
}

const ARGS = McpParamtype.Args;

describe('compileHandlerSchema', () => {
  it('compiles what compileSchema compiles', () => {
    const { json } = compileHandlerSchema(host(), { type: 'object' }, 'input');
    expect(json).toEqual({ type: 'object' });
  });

  it.each([
    [
      'input',
      Bare,
      'its input schema cannot be used: the class Bare has no class-validator decorators',
    ],
    [
      'output',
      { $schema: 'https://example.com/mine' },
      'its output schema cannot be used: the dialect https://example.com/mine is not supported; use 2020-12 or draft-07',
    ],
    [
      'input',
      { $ref: 'https://example.com/x' },
      "its input schema cannot be used: can't resolve reference https://example.com/x: it leads out of the schema, and nothing is fetched",
    ],
  ] as const)('names class, method and mend when an %s cannot be used', (side, source, fact) => {
    expect(() => compileHandlerSchema(host(), source, side)).toThrow(HandlerDefinitionException);
    expect(() => compileHandlerSchema(host(), source, side)).toThrow(
      new Error(
        `Bank.transfer: ${fact}. Give a class-validator DTO, a Standard Schema or a valid JSON Schema.`,
      ),
    );
  });
});

describe('argsDto and hasArgs', () => {
  it.each<[string, HandlerHost, unknown, boolean]>([
    ['a DTO', host({ paramtype: ARGS, type: Transfer }), Transfer, true],
    ['a class without decorators', host({ paramtype: ARGS, type: Bare }), undefined, true],
    ['an interface', host({ paramtype: ARGS, type: Object }), undefined, true],
    ['nothing known', host({ paramtype: ARGS, type: undefined }), undefined, true],
    ['a DTO as one argument', host({ name: 'a', type: Transfer }), undefined, false],
    ['a DTO elsewhere', host({ paramtype: 'custom', type: Transfer }), undefined, false],
    ['no parameters', host(), undefined, false],
    [
      'a DTO behind others',
      host({ paramtype: McpParamtype.Context }, { name: 'a' }, { paramtype: ARGS, type: Transfer }),
      Transfer,
      true,
    ],
  ])('read the type of @McpArgs(): %s', (_, of, dto, present) => {
    expect(argsDto(of)).toBe(dto);
    expect(hasArgs(of)).toBe(present);
  });
});

describe('schemaOfParams', () => {
  it('has one property an argument, typed as the parameter is', () => {
    expect(
      schemaOfParams(
        host(
          { name: 'text', type: String },
          { name: 'number', type: Number, options: { title: 'N', description: 'A number' } },
          { name: 'yes', type: Boolean, options: { required: false } },
          { name: 'any', type: Object, options: { required: true } },
          { name: 'unknown', type: undefined },
        ),
      ),
    ).toEqual({
      type: 'object',
      properties: {
        text: { type: 'string' },
        number: { type: 'number', title: 'N', description: 'A number' },
        yes: { type: 'boolean' },
        any: { type: 'string' },
        unknown: { type: 'string' },
      },
      required: ['text', 'number', 'any', 'unknown'],
      additionalProperties: false,
    });
  });

  it('leaves out every other kind of parameter', () => {
    expect(
      schemaOfParams(
        host(
          { paramtype: ARGS, type: Transfer },
          { paramtype: McpParamtype.Context, type: Object },
          { paramtype: McpParamtype.Elicitor },
          { paramtype: McpParamtype.Principal },
          { paramtype: McpParamtype.Signal },
          { paramtype: 'custom', name: 'user' },
        ),
      ),
    ).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  });

  it.each<[string, unknown]>([
    ['Date', Date],
    ['Array', Array],
    ['BigInt', BigInt],
    ['Bare', Bare],
    ['Function', Function],
  ])('refuses an argument typed %s, unless a pipe converts it', (name, type) => {
    const of = host({ name: 'when', type });
    expect(() => schemaOfParams(of)).toThrow(HandlerDefinitionException);
    expect(() => schemaOfParams(of)).toThrow(
      new Error(
        `Bank.transfer: @McpArg("when") is typed ${name}, and arrives as text. ` +
          'Type it string, number or boolean, or add a pipe that converts it.',
      ),
    );
    expect(schemaOfParams(host({ name: 'when', type, piped: true })).properties).toEqual({
      when: { type: 'string' },
    });
  });

  it('leaves out "required" when nothing is', () => {
    expect(schemaOfParams(host({ name: 'a', options: { required: false } }))).not.toHaveProperty(
      'required',
    );
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'has the argument %s as its own',
    (name) => {
      const schema = schemaOfParams(host({ name }));
      expect(Object.entries(schema.properties ?? {})).toEqual([[name, { type: 'string' }]]);
      expect(() => checkArgNames(host({ name }), schema, 'the input schema')).not.toThrow();
    },
  );
});

describe('checkArgNames', () => {
  const schema: JsonSchema = { type: 'object', properties: { a: {} } };

  it('lets arguments pass that the schema has, and other parameters', () => {
    expect(() =>
      checkArgNames(host({ name: 'a' }, { paramtype: 'custom', name: 'b' }), schema, 'x'),
    ).not.toThrow();
  });

  it.each([
    ['b', schema],
    ['toString', schema],
    ['__proto__', schema],
    ['a', { type: 'object' }],
  ])('refuses @McpArg(%j) with the schema %j', (name, of) => {
    expect(() => checkArgNames(host({ name }), of, 'the uri template')).toThrow(
      HandlerDefinitionException,
    );
    expect(() => checkArgNames(host({ name }), of, 'the uri template')).toThrow(
      new Error(
        `Bank.transfer: @McpArg("${name}") names nothing in the uri template. ` +
          'Add it to the uri template, or correct the name.',
      ),
    );
  });
});

describe('prepareArguments', () => {
  it('gives the accepted value, at once where the schema can', () => {
    const schema = compileSchema({ type: 'object' }, 'input');
    expect(prepareArguments('open', schema, { a: 1 })).toEqual({ a: 1 });
  });

  it('resolves with an instance of a DTO', async () => {
    const schema = compileSchema(Transfer, 'input');
    const args = await prepareArguments('transfer', schema, { to: 'Ada', amount: 1 });
    expect(args).toBeInstanceOf(Transfer);
    expect(args).toEqual({ to: 'Ada', amount: 1 });
  });

  it('resolves with what a Standard Schema made', async () => {
    const schema = compileSchema(z.object({ n: z.string().transform(Number) }), 'input');
    expect(await prepareArguments('open', schema, { n: '5' })).toEqual({ n: 5 });
  });

  it('refuses with the problems, without the values', () => {
    const schema = compileSchema(
      { type: 'object', properties: { to: { type: 'string' } } },
      'input',
    );
    const refuse = (): unknown => prepareArguments('transfer', schema, { to: 42 });
    expect(refuse).toThrow(InvalidArgumentsException);
    expect(refuse).toThrow(new Error('Invalid arguments for "transfer": to must be string.'));
  });

  it('rejects with the problems of a DTO', async () => {
    const schema = compileSchema(Transfer, 'input');
    const refused = async (): Promise<unknown> =>
      prepareArguments('transfer', schema, { to: 42, amount: 1 });
    await expect(refused).rejects.toThrow(InvalidArgumentsException);
    await expect(refused).rejects.toThrow('Invalid arguments for "transfer": to must be a string.');
  });

  it('rejects with the problems of a schema that takes its time', async () => {
    const schema = compileSchema(
      z.object({ n: z.string().refine(async () => false, 'is taken') }),
      'input',
    );
    const refused = prepareArguments('open', schema, { n: 'x' }) as Promise<unknown>;
    await expect(refused).rejects.toThrow(InvalidArgumentsException);
    await expect(refused).rejects.toThrow('Invalid arguments for "open": n is taken.');
  });
});

describe('convertStrings', () => {
  it.each<[JsonSchema, unknown, unknown]>([
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'number' }, '-2', -2],
    [{ type: 'number' }, '1e3', 1000],
    [{ type: 'number' }, ' 5 ', 5],
    [{ type: 'integer' }, '7', 7],
    [{ type: 'integer' }, '7.5', 7.5],
    [{ type: 'number' }, '', ''],
    [{ type: 'number' }, '  ', '  '],
    [{ type: 'number' }, 'abc', 'abc'],
    [{ type: 'number' }, 'NaN', 'NaN'],
    [{ type: 'number' }, 'Infinity', 'Infinity'],
    [{ type: 'number' }, '1e999', '1e999'],
    [{ type: 'number' }, '12px', '12px'],
    [{ type: 'boolean' }, 'true', true],
    [{ type: 'boolean' }, 'false', false],
    [{ type: 'boolean' }, 'TRUE', 'TRUE'],
    [{ type: 'boolean' }, '1', '1'],
    [{ type: 'boolean' }, '', ''],
    [{ type: 'string' }, '5', '5'],
    [{ type: 'string' }, 'true', 'true'],
    [{}, '5', '5'],
    [{ type: 'number' }, 5, 5],
    [{ type: 'number' }, null, null],
    [{ type: 'boolean' }, true, true],
    [{ type: ['number', 'null'] }, '5', 5],
    [{ type: ['integer', 'null'] }, '5', 5],
    [{ type: ['boolean', 'null'] }, 'true', true],
    [{ type: ['string', 'number'] }, '5', '5'],
    [{ enum: [0, 1] }, '1', 1],
    [{ enum: ['0', '1'] }, '1', '1'],
    [{ anyOf: [{ type: 'number' }, { type: 'null' }] }, '5', 5],
  ])('for %j makes %j %j', (property, value, converted) => {
    const schema = { type: 'object', properties: { a: property } };
    expect(convertStrings(schema, { a: value })).toEqual({ a: converted });
  });

  it('does not make another number of one that is too long', () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' } } };
    expect(convertStrings(schema, { id: '9007199254740993' })).toEqual({ id: '9007199254740993' });
  });

  it('leaves arguments alone that the schema does not have', () => {
    expect(convertStrings({ type: 'object' }, { a: '5' })).toEqual({ a: '5' });
    const args = JSON.parse('{"toString":"5","constructor":"6","__proto__":"7"}') as Record<
      string,
      unknown
    >;
    expect(Object.entries(convertStrings({ type: 'object', properties: {} }, args))).toEqual([
      ['toString', '5'],
      ['constructor', '6'],
      ['__proto__', '7'],
    ]);
  });

  it('leaves what it is given as it was', () => {
    const args = Object.freeze({ a: '5' });
    expect(convertStrings({ type: 'object', properties: { a: { type: 'number' } } }, args)).toEqual(
      { a: 5 },
    );
    expect(args).toEqual({ a: '5' });
  });
});

describe('definitionError', () => {
  it('names class, method, fact and mend', () => {
    const error = definitionError(host(), 'it is wrong', 'Mend it');
    expect(error).toBeInstanceOf(HandlerDefinitionException);
    expect(error.message).toBe('Bank.transfer: it is wrong. Mend it.');
  });
});
