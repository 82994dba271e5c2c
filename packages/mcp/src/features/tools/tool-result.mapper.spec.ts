import { Exclude, Expose, Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString } from 'class-validator';
import { z } from 'zod';
import { InvalidResultException } from '../../exceptions/index.js';
import { McpFile } from '../../pipeline/index.js';
import type { CallToolResult, ContentBlock } from '../../protocol/index.js';
import {
  type CompiledSchema,
  compileSchema,
  type SchemaSource,
  type StandardSchema,
} from '../../schema/index.js';
import { MediaType } from '../content/media-type.js';
import { toToolResult } from './tool-result.mapper.js';

const TEXT: ContentBlock = { type: 'text', text: 'x' };
const IMAGE: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };
const AUDIO: ContentBlock = { type: 'audio', data: 'AA==', mimeType: 'audio/wav' };
const LINK: ContentBlock = { type: 'resource_link', uri: 'docs://a', name: 'a' };
const EMBEDDED: ContentBlock = { type: 'resource', resource: { uri: 'docs://a', blob: 'AA==' } };
const BYTES = Buffer.from('größe');
class Account {
  @IsInt() @Type(() => Number) id!: number;
  @IsString() kind = 'free';
  @IsOptional() @IsDate() @Type(() => Date) @Expose({ name: 'opened_at' }) openedAt?: Date;
  @IsOptional() @IsString() @Exclude() secret?: string;
}

/** A Standard Schema that changes what it is given. */
const InPlace: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'acme',
    validate: (value) => ({ value: Object.assign(value as object, { at: new Date(0) }) }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
};

const BASE64 = BYTES.toString('base64');

async function result(
  value: unknown,
  { output, mimeType }: { output?: CompiledSchema; mimeType?: string } = {},
): Promise<CallToolResult> {
  const media = mimeType === undefined ? undefined : MediaType.parse(mimeType);
  return toToolResult({ name: 'open', output, media }, value);
}

async function expectRefused(refused: Promise<unknown>, detail: string): Promise<void> {
  await expect(refused).rejects.toThrow(InvalidResultException);
  await expect(refused).rejects.toThrow(
    new Error(`"open" returned a value that cannot be sent: ${detail}.`),
  );
}

/** A result whose text is the JSON of its structured content. */
function structured(value: unknown, text = JSON.stringify(value)): unknown {
  return { resultType: 'complete', content: [{ type: 'text', text }], structuredContent: value };
}

function complete(...content: ContentBlock[]): unknown {
  return { resultType: 'complete', content };
}

const blob = (uri: string, mimeType?: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, ...(mimeType !== undefined && { mimeType }), blob: BASE64 },
});

describe('the result of a tool', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, complete()],
    ['text', 'hello', complete({ type: 'text', text: 'hello' })],
    ['an empty text', '', complete({ type: 'text', text: '' })],
    ['a text block', TEXT, complete(TEXT)],
    ['an image', IMAGE, complete(IMAGE)],
    ['audio', AUDIO, complete(AUDIO)],
    ['a resource link', LINK, complete(LINK)],
    ['an embedded resource', EMBEDDED, complete(EMBEDDED)],
    [
      'a block with more members',
      { ...TEXT, _meta: { a: 1 } },
      complete({ ...TEXT, _meta: { a: 1 } }),
    ],
    ['blocks', [TEXT, IMAGE], complete(TEXT, IMAGE)],
    [
      'text and blocks',
      ['y', IMAGE, 'z'],
      complete({ type: 'text', text: 'y' }, IMAGE, { type: 'text', text: 'z' }),
    ],
    ['text and bytes', ['x', BYTES], complete(TEXT, blob('result://open/2'))],
    [
      'a whole result',
      { content: [TEXT], isError: true },
      { resultType: 'complete', content: [TEXT], isError: true },
    ],
    [
      'a whole result with a date',
      { content: [], structuredContent: { at: new Date(0) } },
      {
        resultType: 'complete',
        content: [],
        structuredContent: { at: '1970-01-01T00:00:00.000Z' },
      },
    ],
    ['null', null, structured(null)],
    ['a number', 5, structured(5)],
    ['zero', 0, structured(0)],
    ['false', false, structured(false)],
    ['an object', { a: { b: [1] } }, structured({ a: { b: [1] } })],
    ['an empty object', {}, structured({})],
    ['a list', [1, 'a', null], structured([1, 'a', null])],
    ['a list of text', ['a', 'b'], structured(['a', 'b'])],
    ['an empty list', [], structured([])],
    [
      'data with a type of its own',
      { type: 'video', data: 'x' },
      structured({ type: 'video', data: 'x' }),
    ],
    ['content that is no list', { content: 'x' }, structured({ content: 'x' })],
    [
      'content beside other members',
      { content: [TEXT], id: 1 },
      structured({ content: [TEXT], id: 1 }),
    ],
    ['a date', new Date(0), structured('1970-01-01T00:00:00.000Z')],
    ['undefined members', { a: undefined, b: 1 }, structured({ b: 1 })],
    ['function members', { a: () => 1, b: 1 }, structured({ b: 1 })],
    ['NaN, which JSON has not', Number.NaN, structured(null, 'null')],
  ])('of %s', async (_, value, expected) => {
    expect(await result(value)).toEqual(expected);
  });

  it.each<[string, unknown, string | undefined, ContentBlock]>([
    ['bytes without a type', BYTES, undefined, blob('result://open')],
    [
      'bytes of an image',
      BYTES,
      'image/png',
      { type: 'image', data: BASE64, mimeType: 'image/png' },
    ],
    [
      'bytes of a drawing',
      BYTES,
      'image/svg+xml',
      { type: 'image', data: BASE64, mimeType: 'image/svg+xml' },
    ],
    ['bytes of audio', BYTES, 'Audio/WAV', { type: 'audio', data: BASE64, mimeType: 'Audio/WAV' }],
    ['bytes of text', BYTES, 'text/csv', { type: 'text', text: 'größe' }],
    [
      'bytes of text in Latin 1',
      Buffer.from('größe', 'latin1'),
      'text/plain; charset=ISO-8859-1',
      { type: 'text', text: 'größe' },
    ],
    ['bytes of JSON', BYTES, 'application/json', { type: 'text', text: 'größe' }],
    ['bytes of something else', BYTES, 'application/pdf', blob('result://open', 'application/pdf')],
    ['no bytes', Buffer.alloc(0), 'image/png', { type: 'image', data: '', mimeType: 'image/png' }],
    [
      'a typed array',
      new Uint16Array([1, 2]).subarray(1),
      'image/png',
      { type: 'image', data: 'AgA=', mimeType: 'image/png' },
    ],
    [
      'memory',
      new Uint8Array([1]).buffer,
      'image/png',
      { type: 'image', data: 'AQ==', mimeType: 'image/png' },
    ],
    [
      'a file',
      new McpFile(BYTES, { mimeType: 'application/pdf', name: 'über a.pdf' }),
      undefined,
      blob('result://open/%C3%BCber%20a.pdf', 'application/pdf'),
    ],
    [
      'a file with a type that is none',
      new McpFile(BYTES, { mimeType: 'pdf' }),
      undefined,
      blob('result://open'),
    ],
    [
      'a file in an unknown charset',
      new McpFile(BYTES, { mimeType: 'text/plain; charset=klingon' }),
      undefined,
      blob('result://open', 'text/plain; charset=klingon'),
    ],
    [
      'a file of another type than the tool declares',
      new McpFile(BYTES, { mimeType: 'application/pdf' }),
      'image/png',
      { type: 'image', data: BASE64, mimeType: 'image/png' },
    ],
    [
      'a file of text',
      new McpFile('größe', { name: 'a.bin' }),
      undefined,
      { type: 'text', text: 'größe' },
    ],
    [
      'a file of text with a type of text',
      new McpFile('größe', { mimeType: 'text/csv', name: 'a.csv' }),
      undefined,
      { type: 'text', text: 'größe' },
    ],
    [
      'a file of text with another type',
      new McpFile('größe', { mimeType: 'application/zip', name: 'a.zip' }),
      undefined,
      {
        type: 'resource',
        resource: { uri: 'result://open/a.zip', mimeType: 'application/zip', text: 'größe' },
      },
    ],
    [
      'a file of text where the tool declares another type',
      new McpFile('größe', { mimeType: 'text/csv' }),
      'application/rtf',
      {
        type: 'resource',
        resource: { uri: 'result://open', mimeType: 'application/rtf', text: 'größe' },
      },
    ],
    [
      'an image of text',
      new McpFile('größe', { mimeType: 'image/svg+xml' }),
      undefined,
      { type: 'image', data: BASE64, mimeType: 'image/svg+xml' },
    ],
    ['text, whatever the type', 'x', 'image/png', TEXT],
  ])('of %s', async (_, value, mimeType, content) => {
    expect(await result(value, { mimeType })).toEqual(complete(content));
  });

  it('tells the files of a list apart', async () => {
    const file = new McpFile(BYTES, { name: 'a' });
    expect(await result([file, file])).toEqual(
      complete(blob('result://open/1/a'), blob('result://open/2/a')),
    );
  });

  it('is what JSON makes of the value, not the value', async () => {
    class Account {
      readonly secret = 's';
      constructor(readonly id: number) {}
      toJSON(): object {
        return { id: this.id };
      }
    }
    expect(await result(new Account(7))).toEqual(structured({ id: 7 }));
  });

  it('may be given whole, with everything', async () => {
    const whole = { content: [], structuredContent: [1], isError: false, _meta: { a: 1 } };
    expect(await result({ ...whole, resultType: 'other' })).toEqual({
      resultType: 'complete',
      ...whole,
    });
  });

  it('leaves what it is given as it was', async () => {
    const value = Object.freeze({ content: Object.freeze([TEXT]), resultType: 'x' });
    expect(await result(value)).toEqual(complete(TEXT));
    expect(value.resultType).toBe('x');
  });

  const COMPLETE = 'Complete the content block, or declare an output schema if it is data';

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'it is a function, which JSON has not. Return data'],
    [
      'a bigint',
      { a: [1n] },
      'a[0] is a bigint, which JSON has not. Return it as text, or as a number if it is small enough',
    ],
    [
      'a map',
      new Map([['a', 1]]),
      'it is of type Map, of which JSON keeps nothing. Return Object.fromEntries() of it',
    ],
    [
      'a whole result with a set',
      { content: [], structuredContent: { ids: new Set([1]) } },
      'ids is of type Set, of which JSON keeps nothing. Return it as a list',
    ],
    [
      'a block whose metadata has a set',
      { ...TEXT, _meta: { ids: new Set([1]) } },
      `it is declared to be content, but _meta.ids is of type Set, of which JSON keeps nothing. ${COMPLETE}`,
    ],
    [
      'a broken block',
      { type: 'text' },
      `it is declared to be content, but its "text" is missing. ${COMPLETE}`,
    ],
    [
      'an image without a type',
      { type: 'image', data: 'AA==' },
      `it is declared to be content, but its "mimeType" is missing. ${COMPLETE}`,
    ],
    [
      'an image of bytes',
      { type: 'image', data: BYTES, mimeType: 'image/png' },
      `it is declared to be content, but its "data" is a value of type object, not base64. ${COMPLETE}`,
    ],
    [
      'an image of text',
      { type: 'image', data: 'größe', mimeType: 'image/png' },
      `it is declared to be content, but its "data" is text, not base64. ${COMPLETE}`,
    ],
    [
      'a link without a name',
      { type: 'resource_link', uri: 'docs://a' },
      `it is declared to be content, but its "name" is missing. ${COMPLETE}`,
    ],
    [
      'an embedded resource of nothing',
      { type: 'resource' },
      `it is declared to be content, but of its "resource", it is nothing, not the contents of a resource. ${COMPLETE}`,
    ],
    [
      'an embedded resource without a uri',
      { type: 'resource', resource: { text: 'x' } },
      `it is declared to be content, but of its "resource", its "uri" is missing. ${COMPLETE}`,
    ],
    [
      'blocks and data',
      [TEXT, { a: 1 }],
      `of item 2, its type undefined is none of text, image, audio, resource_link, resource. ${COMPLETE}`,
    ],
    [
      'blocks and a block of an unknown type',
      [TEXT, { type: 'video' }],
      `of item 2, its type "video" is none of text, image, audio, resource_link, resource. ${COMPLETE}`,
    ],
    [
      'blocks and a number',
      [TEXT, 5],
      `of item 2, it is a value of type number, not a content block. ${COMPLETE}`,
    ],
    ['blocks and null', [null, TEXT], `of item 1, it is null, not a content block. ${COMPLETE}`],
    [
      'a list of broken blocks',
      [{ type: 'text' }],
      `of item 1, its "text" is missing. ${COMPLETE}`,
    ],
    [
      'a whole result with text',
      { content: ['x'] },
      `of content[0], it is text, not a content block. ${COMPLETE}`,
    ],
    [
      'a whole result with a broken block',
      { content: [TEXT, { type: 'video' }] },
      `of content[1], its type "video" is none of text, image, audio, resource_link, resource. ${COMPLETE}`,
    ],
    [
      'a whole result whose error is no boolean',
      { content: [], isError: 'yes' },
      'its isError is not a boolean. Say true or false',
    ],
    [
      'a whole result whose metadata is a list',
      { content: [], _meta: [] },
      'its _meta is not an object. Give an object',
    ],
    [
      'a whole result of what is not JSON',
      { content: [], structuredContent: { n: 1n } },
      'n is a bigint, which JSON has not. Return it as text, or as a number if it is small enough',
    ],
    [
      'a block whose metadata is not JSON',
      { ...TEXT, _meta: { n: 1n } },
      `it is declared to be content, but _meta.n is a bigint, which JSON has not. ${COMPLETE}`,
    ],
    [
      'a block whose annotations are text',
      { ...TEXT, annotations: 'x' },
      `it is declared to be content, but its "annotations" is text, not an object. ${COMPLETE}`,
    ],
  ])('cannot be %s', async (_, value, detail) => {
    await expectRefused(result(value), detail);
  });
});

describe('the result of a tool with an output schema', () => {
  const output = compileSchema(
    { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    'output',
  );
  const anything = compileSchema({ type: 'object' }, 'output');

  it.each<[string, CompiledSchema, unknown]>([
    ['structured content', output, { id: 1 }],
    ['structured content even when it looks like a block', anything, TEXT],
    ['structured content even when it looks like a broken block', anything, { type: 'text' }],
    ['structured content even when it looks like a broken result', anything, { content: ['x'] }],
    ['structured content of text', compileSchema({ type: 'string' }, 'output'), 'hello'],
  ])('is %s', async (_, schema, value) => {
    expect(await result(value, { output: schema })).toEqual(structured(value));
  });

  it.each<[string, SchemaSource, unknown, unknown]>([
    ['without strangers', z.object({ id: z.number() }), { id: 1, hash: 'x' }, { id: 1 }],
    ['with defaults', z.object({ n: z.number().default(5) }), {}, { n: 5 }],
    [
      'transformed',
      z.object({ n: z.string().transform(Number).pipe(z.number()) }),
      { n: '7' },
      { n: 7 },
    ],
    ['coerced', z.object({ n: z.coerce.number() }), { n: '7' }, { n: 7 }],
    ['as JSON', InPlace, { n: 1 }, { n: 1, at: '1970-01-01T00:00:00.000Z' }],
    ['with the initial values of a DTO', Account, { id: 1 }, { kind: 'free', id: 1 }],
    [
      'converted by a DTO',
      Account,
      { id: '1', kind: 'paid', opened_at: '1970-01-01' },
      { kind: 'paid', id: 1, opened_at: '1970-01-01T00:00:00.000Z' },
    ],
  ])('is what the schema makes of the value, whole or not: %s', async (...params) => {
    const [, source, value, made] = params;
    const schema = compileSchema(source, 'output');
    const given = (): unknown => structuredClone(value);
    expect(await result(given(), { output: schema })).toEqual(structured(made));
    const whole = { content: [TEXT], structuredContent: given() };
    expect(await result(whole, { output: schema })).toEqual({
      resultType: 'complete',
      content: [TEXT],
      structuredContent: made,
    });
    const failed = { content: [], structuredContent: given(), isError: true };
    expect(await result(failed, { output: schema })).toEqual({ resultType: 'complete', ...failed });
  });

  it('has structured content that only the schema knows of, or none when that is right', async () => {
    const whole = { content: [TEXT] };
    const filled = compileSchema(z.number().default(5), 'output');
    expect((await result(whole, { output: filled })).structuredContent).toBe(5);
    const optional = compileSchema(z.number().optional(), 'output');
    expect(await result(whole, { output: optional })).toEqual(complete(TEXT));
  });

  it('does not tell strangers to a DTO, nor what it excludes', async () => {
    const account = compileSchema(Account, 'output');
    for (const stranger of ['hash', 'secret']) {
      await expectRefused(
        result({ id: 1, [stranger]: 'x' }, { output: account }),
        `it breaks the output schema: ${stranger} is not known here`,
      );
    }
  });

  it.each<[string, object]>([
    [
      'whose structured content is held against it',
      { content: [TEXT], structuredContent: { id: 1 } },
    ],
    ['that reports a failure without structured content', { content: [TEXT], isError: true }],
  ])('may be a whole result %s', async (_, whole) => {
    expect(await result(whole, { output })).toEqual({ resultType: 'complete', ...whole });
  });

  it('is held against it as JSON, whole or not', async () => {
    const dated = compileSchema(
      { type: 'object', properties: { at: { type: 'string' } } },
      'output',
    );
    const at = new Date(0);
    const json = { at: '1970-01-01T00:00:00.000Z' };
    expect((await result({ at }, { output: dated })).structuredContent).toEqual(json);
    const whole = { content: [], structuredContent: { at } };
    expect((await result(whole, { output: dated })).structuredContent).toEqual(json);
  });

  it.each<[string, unknown, string]>([
    ['something else', { id: 'x' }, 'it breaks the output schema: id must be integer'],
    ['too little', {}, "it breaks the output schema: must have required property 'id'"],
    ['null', null, 'it breaks the output schema: must be object'],
    ['nothing', undefined, 'it is nothing. Return a value'],
    ['NaN', { id: Number.NaN }, 'it breaks the output schema: id must be integer'],
    [
      'a whole result without structured content',
      { content: [TEXT] },
      'it breaks the output schema: must be object',
    ],
    [
      'bytes',
      BYTES,
      'it is bytes, and the tool declares an output schema. Return an object that fits the schema, or { content, structuredContent }',
    ],
    [
      'a file',
      new McpFile('{"id":1}'),
      'it is bytes, and the tool declares an output schema. Return an object that fits the schema, or { content, structuredContent }',
    ],
  ])('cannot be %s', async (_, value, detail) => {
    await expectRefused(result(value, { output }), detail);
  });

  it('is waited for when the schema takes its time, with every problem', async () => {
    const schema = compileSchema(
      z.object({
        a: z.string().refine(async () => false, 'is bad'),
        b: z.string().refine(async () => false, 'is worse'),
      }),
      'output',
    );
    await expectRefused(
      result({ a: 'x', b: 'y' }, { output: schema }),
      'it breaks the output schema: a is bad; b is worse',
    );
  });
});
