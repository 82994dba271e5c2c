import { InvalidResultException } from '../../exceptions/index.js';
import type { ContentBlock } from '../../protocol/index.js';
import { compileSchema } from '../../schema/index.js';
import { z } from 'zod';
import { toToolResult } from './tool-result.mapper.js';

const TEXT: ContentBlock = { type: 'text', text: 'x' };
const IMAGE: ContentBlock = { type: 'image', data: 'AA==', mimeType: 'image/png' };

/** A result whose text is the JSON of its structured content. */
function structured(value: unknown, text = JSON.stringify(value)): unknown {
  return {
    resultType: 'complete',
    content: [{ type: 'text', text }],
    structuredContent: value,
  };
}

function complete(...content: ContentBlock[]): unknown {
  return { resultType: 'complete', content };
}

describe('the result of a tool', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, complete()],
    ['text', 'hello', complete({ type: 'text', text: 'hello' })],
    ['an empty text', '', complete({ type: 'text', text: '' })],
    ['a text block', TEXT, complete(TEXT)],
    ['an image', IMAGE, complete(IMAGE)],
    [
      'audio',
      { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
      complete({ type: 'audio', data: 'AA==', mimeType: 'audio/wav' }),
    ],
    [
      'a resource link',
      { type: 'resource_link', uri: 'docs://a', name: 'a' },
      complete({ type: 'resource_link', uri: 'docs://a', name: 'a' }),
    ],
    [
      'an embedded resource',
      { type: 'resource', resource: { uri: 'docs://a', blob: 'AA==' } },
      complete({ type: 'resource', resource: { uri: 'docs://a', blob: 'AA==' } }),
    ],
    ['blocks', [TEXT, IMAGE], complete(TEXT, IMAGE)],
    [
      'a whole result',
      { content: [TEXT], isError: true },
      { resultType: 'complete', content: [TEXT], isError: true },
    ],
    [
      'a whole result with everything',
      { content: [], structuredContent: [1], isError: false, resultType: 'other', _meta: { a: 1 } },
      {
        resultType: 'complete',
        content: [],
        structuredContent: [1],
        isError: false,
        _meta: { a: 1 },
      },
    ],
    ['null', null, structured(null)],
    ['a number', 5, structured(5)],
    ['zero', 0, structured(0)],
    ['false', false, structured(false)],
    ['an object', { a: { b: [1] } }, structured({ a: { b: [1] } })],
    ['an empty object', {}, structured({})],
    ['a list', [1, 'a', null], structured([1, 'a', null])],
    ['an empty list', [], structured([])],
    ['a list that is only partly of blocks', [TEXT, 'x'], structured([TEXT, 'x'])],
    [
      'a block of an unknown type',
      { type: 'video', data: 'x' },
      structured({ type: 'video', data: 'x' }),
    ],
    ['a broken block', { type: 'text' }, structured({ type: 'text' })],
    ['content that is no list', { content: 'x' }, structured({ content: 'x' })],
    ['content of something else', { content: ['x'] }, structured({ content: ['x'] })],
    [
      'content beside other members',
      { content: [TEXT], id: 1 },
      structured({ content: [TEXT], id: 1 }),
    ],
    ['a date', new Date(0), structured('1970-01-01T00:00:00.000Z')],
    ['undefined members', { a: undefined, b: 1 }, structured({ b: 1 })],
    ['NaN, which JSON has not', Number.NaN, structured(null, 'null')],
  ])('of %s', async (_, value, result) => {
    expect(await toToolResult('open', value, undefined)).toEqual(result);
  });

  it('is what JSON makes of the value, not the value', async () => {
    class Account {
      readonly secret = 's';
      constructor(readonly id: number) {}
      toJSON(): object {
        return { id: this.id };
      }
    }
    const result = await toToolResult('open', new Account(7), undefined);
    expect(result).toEqual(structured({ id: 7 }));
  });

  it('leaves what it is given as it was', async () => {
    const value = Object.freeze({ content: Object.freeze([TEXT]), resultType: 'x' });
    expect(await toToolResult('open', value, undefined)).toEqual(complete(TEXT));
    expect(value.resultType).toBe('x');
  });

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'JSON has no function'],
    ['a bigint', { a: 1n }, 'it is not JSON (Do not know how to serialize a BigInt)'],
  ])('cannot be %s', async (_, value, detail) => {
    const refused = toToolResult('open', value, undefined);
    await expect(refused).rejects.toThrow(InvalidResultException);
    await expect(refused).rejects.toThrow(
      `"open" returned a value that cannot be sent: ${detail}.`,
    );
  });
});

describe('the result of a tool with an output schema', () => {
  const output = compileSchema(
    { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    'output',
  );

  it('is structured content', async () => {
    expect(await toToolResult('open', { id: 1 }, output)).toEqual(structured({ id: 1 }));
  });

  it('is structured content even when it looks like a block', async () => {
    const block = compileSchema({ type: 'object' }, 'output');
    expect(await toToolResult('open', TEXT, block)).toEqual(structured(TEXT));
    expect(
      await toToolResult('open', 'hello', compileSchema({ type: 'string' }, 'output')),
    ).toEqual(structured('hello'));
  });

  it('may be a whole result, whose structured content is held against it', async () => {
    const result = { content: [TEXT], structuredContent: { id: 1 } };
    expect(await toToolResult('open', result, output)).toEqual({
      resultType: 'complete',
      ...result,
    });
  });

  it('may report a failure without structured content', async () => {
    expect(await toToolResult('open', { content: [TEXT], isError: true }, output)).toEqual({
      resultType: 'complete',
      content: [TEXT],
      isError: true,
    });
  });

  it('is sent as the tool gave it, whatever the schema makes of it', async () => {
    const schema = compileSchema(z.object({ id: z.number(), n: z.number().default(1) }), 'output');
    expect(await toToolResult('open', { id: 1 }, schema)).toEqual(structured({ id: 1 }));
  });

  it.each<[string, unknown, string]>([
    ['something else', { id: 'x' }, 'it breaks the output schema: id must be integer'],
    ['too little', {}, "it breaks the output schema: must have required property 'id'"],
    ['null', null, 'it breaks the output schema: must be object'],
    ['nothing', undefined, 'JSON has no undefined'],
    ['NaN', { id: Number.NaN }, 'it breaks the output schema: id must be integer'],
    [
      'a whole result without structured content',
      { content: [TEXT] },
      'it breaks the output schema: must be object',
    ],
  ])('cannot be %s', async (_, value, detail) => {
    const refused = toToolResult('open', value, output);
    await expect(refused).rejects.toThrow(InvalidResultException);
    await expect(refused).rejects.toThrow(
      `"open" returned a value that cannot be sent: ${detail}.`,
    );
  });

  it('is waited for when the schema takes its time, with every problem', async () => {
    const schema = compileSchema(
      z.object({
        a: z.string().refine(async () => false, 'is bad'),
        b: z.string().refine(async () => false, 'is worse'),
      }),
      'output',
    );
    await expect(toToolResult('open', { a: 'x', b: 'y' }, schema)).rejects.toThrow(
      'it breaks the output schema: a is bad; b is worse.',
    );
  });
});
