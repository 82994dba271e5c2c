import type { Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { IsInt, IsString } from 'class-validator';
import { McpResourceContext } from '../../context/index.js';
import { McpHeader, McpParamtype, type McpResourceOptions } from '../../decorators/index.js';
import type { HandlerHost, HandlerParam } from '../../discovery/index.js';
import { HandlerDefinitionException, InvalidArgumentsException } from '../../exceptions/index.js';
import type { McpExchange } from '../../exchange/index.js';
import { type HandlerInvokerFactory, VisibilityRules } from '../../pipeline/index.js';
import type { Round } from '../../replay/index.js';
import { HandlerCompiler } from '../handler-compiler.js';
import { compileResource, type ResourceEntry } from './resource.entry.js';
import { ResolvedOptions } from '../../options/index.js';

class Page {
  @IsString()
  slug!: string;

  @IsInt()
  number!: number;
}

class RoutedPage {
  @McpHeader('Slug')
  @IsString()
  slug!: string;
}

class Docs {}

const invoke = async (): Promise<unknown> => 'done';
const compiler = new HandlerCompiler(
  { create: () => invoke, createGate: () => invoke } as unknown as HandlerInvokerFactory,
  new VisibilityRules({} as ModuleRef, null),
  new ResolvedOptions({ server: { name: 's', version: '1' } }),
  null,
);

function compile(options: McpResourceOptions, params: Partial<HandlerParam>[] = []): ResourceEntry {
  const host = {
    classRef: Docs as Type<object>,
    methodName: 'readme',
    params: params.map((param, index) => ({
      index,
      paramtype: McpParamtype.Arg,
      options: {},
      type: String,
      ...param,
    })),
  } as unknown as HandlerHost;
  return compileResource({ kind: 'resource', host, options }, compiler);
}

const SHOWN = {
  name: 'The readme',
  title: 'Read me',
  description: 'What to know',
  mimeType: 'text/markdown',
  icons: [{ src: 'https://example.com/icon.png' }],
  annotations: { priority: 1 },
};

describe('a resource with one uri', () => {
  it('is named after the method, and not cached', () => {
    const resource = compile({ uri: 'docs://readme' });
    expect(resource.descriptor).toEqual({ uri: 'docs://readme', name: 'readme' });
    expect(resource).toMatchObject({
      kind: 'resource',
      name: 'docs://readme',
      source: 'Docs.readme',
      media: undefined,
      cache: { ttlMs: 0, scope: 'private' },
      invoke,
    });
  });

  it('describes everything it is told', () => {
    const resource = compile({
      uri: 'docs://readme',
      ...SHOWN,
      size: 0,
      meta: { a: 1 },
      cache: { ttlMs: 5, scope: 'public' },
    });
    expect(resource.descriptor).toEqual({
      uri: 'docs://readme',
      ...SHOWN,
      size: 0,
      _meta: { a: 1 },
    });
    expect(resource).toMatchObject({
      media: { text: 'text/markdown' },
      cache: { ttlMs: 5, scope: 'public' },
    });
  });

  it.each<[string, string]>([
    [
      'markdown',
      'its mimeType "markdown" is no media type. Write a type and a subtype, such as "text/markdown" or "image/png".',
    ],
    ['', 'its mimeType "" is no media type.'],
    [
      'text/plain; charset=klingon',
      'its mimeType names the charset "klingon", which Node cannot decode. Name another charset, or leave it out for UTF-8.',
    ],
  ])('is refused with the mime type %j', (mimeType, rest) => {
    const refused = (): unknown => compile({ uri: 'docs://readme', mimeType });
    expect(refused).toThrow(HandlerDefinitionException);
    expect(refused).toThrow(`Docs.readme: ${rest}`);
  });

  it('makes a context for the uri that is read', () => {
    const context = compile({ uri: 'docs://readme' }).contextFor(
      'docs://readme',
      {} as McpExchange,
      { round: 1 } as Round,
    );
    expect(context).toBeInstanceOf(McpResourceContext);
    expect(context.handlerName).toBe('docs://readme');
  });

  it.each(['readme', '/readme', '', 'docs', '://x'])('is refused with the uri %j', (uri) => {
    expect(() => compile({ uri })).toThrow(HandlerDefinitionException);
    expect(() => compile({ uri })).toThrow(
      new Error(
        `Docs.readme: ${JSON.stringify(uri)} is not an absolute URI. Give it a scheme, such as "docs://readme".`,
      ),
    );
  });

  it.each([[{ name: 'slug' }], [{ paramtype: McpParamtype.Args, type: Page }]])(
    'is refused with the parameter %j',
    (param) => {
      expect(() => compile({ uri: 'docs://readme' }, [param])).toThrow(
        new Error(
          'Docs.readme: a resource with one uri has no arguments. ' +
            'Leave out @McpArg() and @McpArgs(), or declare a uriTemplate.',
        ),
      );
    },
  );

  it('may have every injected parameter', () => {
    const params = [
      { paramtype: McpParamtype.Context },
      { paramtype: McpParamtype.Signal },
      { paramtype: 'custom' as const, name: 'x' },
    ];
    expect(() => compile({ uri: 'docs://readme' }, params)).not.toThrow();
  });
});

describe('a resource template', () => {
  it('describes everything it is told', () => {
    const resource = compile({ uriTemplate: 'docs://pages/{slug}', ...SHOWN, meta: { a: 1 } });
    expect(resource).toMatchObject({ kind: 'resource template', name: 'docs://pages/{slug}' });
    expect(resource.descriptor).toEqual({
      uriTemplate: 'docs://pages/{slug}',
      ...SHOWN,
      _meta: { a: 1 },
    });
  });

  it('converts variables to what their parameters are', () => {
    const { prepare } = compile({ uriTemplate: 'docs://{slug}/{number}{?all}' }, [
      { name: 'number', type: Number },
      { name: 'all', type: Boolean },
    ]);
    expect(prepare({ slug: '5', number: '5', all: 'true' })).toEqual({
      slug: '5',
      number: 5,
      all: true,
    });
    expect(() => prepare({ slug: 'x', number: 'y' })).toThrow(InvalidArgumentsException);
  });

  it('takes a uri without its optional variables', () => {
    const { prepare } = compile({ uriTemplate: 'docs://{slug}{?lang}' }, [
      { name: 'slug' },
      { name: 'lang', options: { required: false } },
    ]);
    expect(prepare({ slug: 'x' })).toEqual({ slug: 'x' });
  });

  it('makes an instance of the DTO of @McpArgs()', async () => {
    const { prepare } = compile({ uriTemplate: 'docs://{slug}/{number}' }, [
      { paramtype: McpParamtype.Args, type: Page },
    ]);
    const page = await prepare({ slug: 'x', number: '5' });
    expect(page).toBeInstanceOf(Page);
    expect(page).toEqual({ slug: 'x', number: 5 });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('may have the variable %s', (name) => {
    const { prepare } = compile({ uriTemplate: `docs://{a}{?${name}}` }, [{ name }]);
    expect(Object.entries(prepare({ a: 'x', [name]: 'y' }) as object)).toEqual([
      ['a', 'x'],
      [name, 'y'],
    ]);
    expect(Object.entries(prepare({ a: 'x' }) as object)).toEqual([['a', 'x']]);
  });

  it('is refused with an argument that is no variable', () => {
    expect(() => compile({ uriTemplate: 'docs://{slug}' }, [{ name: 'id' }])).toThrow(
      new Error(
        'Docs.readme: @McpArg("id") names nothing in the uri template. Add it to the uri template, or correct the name.',
      ),
    );
  });

  it('is refused with the reason of the template', () => {
    expect(() => compile({ uriTemplate: 'docs://{slug*}' })).toThrow(HandlerDefinitionException);
    expect(() => compile({ uriTemplate: 'docs://{slug' })).toThrow(
      new Error(
        'Docs.readme: the uri template "docs://{slug" cannot be used: it has a "{" without a "}". ' +
          'Write it as in RFC 6570, for example "docs://pages/{slug}{?lang}".',
      ),
    );
  });
});

describe('a declaration of which something would be lost', () => {
  const COMMON =
    'title, description, meta, requires, timeoutMs, maxConcurrent, ttlMs, onMismatch, once, visible, uri, uriTemplate, name, mimeType, icons, annotations, cache';

  it.each<[string, object, Partial<HandlerParam>[], string]>([
    [
      'an option that resources do not have',
      { uri: 'docs://readme', mimetype: 'text/markdown' },
      [],
      `@McpResource() has an option "mimetype", which resources with one uri do not have. Leave it out; there are ${COMMON}, size.`,
    ],
    [
      'the size of many',
      { uriTemplate: 'docs://{slug}', size: 5 },
      [],
      `@McpResource() has an option "size", which resource templates do not have. Leave it out; there are ${COMMON}.`,
    ],
    [
      'a header, which nobody would mirror',
      { uriTemplate: 'docs://{slug}' },
      [{ paramtype: McpParamtype.Args, type: RoutedPage }],
      'its arguments have @McpHeader() or "x-mcp-header", and clients mirror arguments of tools only. ' +
        'Leave it out, or give the tool a class of its own.',
    ],
  ])('is refused: %s', (_, options, params, rest) => {
    const compiled = (): unknown => compile(options as McpResourceOptions, params);
    expect(compiled).toThrow(HandlerDefinitionException);
    expect(compiled).toThrow(new Error(`Docs.readme: ${rest}`));
  });
});
