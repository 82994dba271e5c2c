import { InvalidResultException } from '../../exceptions/index.js';
import type { Bytes, McpFile } from '../../pipeline/index.js';
import {
  type Awaitable,
  type CallToolResult,
  type ContentBlock,
  isContentBlock,
  isJsonObject,
  type MetaObject,
} from '../../protocol/index.js';
import type { CompiledSchema } from '../../schema/index.js';
import { claimsContent, contentProblem } from '../content/content-problem.js';
import { fileContent, resultUri } from '../content/file-content.js';
import { jsonText } from '../content/json-text.js';
import { isReturnedFile } from '../content/returned-file.js';
import type { ToolEntry } from './tool.entry.js';

/** What the mapper must know of a tool. */
export type ReturningTool = Pick<ToolEntry, 'name' | 'output' | 'media'>;

/**
 * Turns what a tool returned into a result.
 *
 * | returned | result |
 * | --- | --- |
 * | nothing | no content |
 * | text | one text block |
 * | bytes or a file | image, audio, text or embedded resource, by its type |
 * | content block | as is |
 * | list with a content block or a file | the content; text in it becomes text blocks |
 * | `{ content: […] }` | as is |
 * | anything else | `structuredContent`, and its JSON as text |
 *
 * With an output schema every value but a whole result is structured content, and what is sent of it
 * is what the schema makes of its JSON: whatever the schema drops must not reach a client.
 * @throws InvalidResultException when the value cannot be sent or breaks the output schema
 */
export function toToolResult(tool: ReturningTool, value: unknown): Awaitable<CallToolResult> {
  const { name, output } = tool;
  return output === undefined ? map(tool, value) : fit(name, output, value);
}

async function fit(name: string, output: CompiledSchema, value: unknown): Promise<CallToolResult> {
  if (!isToolResult(value)) {
    const json = asJson(jsonText(name, checkData(name, value)));
    return structured(name, await fitting(name, output, json));
  }
  const result = whole(name, value);
  if (result.isError === true) return result;
  const { structuredContent, ...others } = result;
  const made = await fitting(name, output, structuredContent);
  return made === undefined
    ? others
    : { ...others, structuredContent: asJson(jsonText(name, made)) };
}

/** What the output schema makes of a value. @throws InvalidResultException when the value breaks it */
async function fitting(name: string, output: CompiledSchema, value: unknown): Promise<unknown> {
  const verdict = await output.validate(value);
  if (verdict.ok) return verdict.value;
  const problems = verdict.problems.map(({ path, message }) => `${path} ${message}`.trim());
  throw new InvalidResultException(name, `it breaks the output schema: ${problems.join('; ')}`);
}

function map(tool: ReturningTool, value: unknown): CallToolResult {
  if (value === undefined) return complete([]);
  if (typeof value === 'string') return complete([{ type: 'text', text: value }]);
  if (isReturnedFile(value)) return complete([fileBlock(tool, value)]);
  if (meansResult(value)) return whole(tool.name, value);
  if (claimsContent(value)) return complete([block(tool, value, 'it')]);
  if (Array.isArray(value) && value.some((item) => claimsContent(item) || isReturnedFile(item))) {
    return complete(value.map((item, index) => listed(tool, item, index)));
  }
  return structured(tool.name, value);
}

function listed(tool: ReturningTool, item: unknown, index: number): ContentBlock {
  if (typeof item === 'string') return { type: 'text', text: item };
  return isReturnedFile(item)
    ? fileBlock(tool, item, index + 1)
    : block(tool, item, `item ${index + 1}`);
}

function fileBlock(tool: ReturningTool, file: Bytes | McpFile, position?: number): ContentBlock {
  return fileContent(file, tool.media, (name) => resultUri(tool.name, name, position));
}

function block({ name }: Pick<ReturningTool, 'name'>, value: unknown, where: string): ContentBlock {
  const problem = contentProblem(value);
  if (problem === undefined) return value as ContentBlock;
  throw new InvalidResultException(
    name,
    where === 'it' ? `it is declared to be content, but ${problem}` : `of ${where}, ${problem}`,
    'Complete the content block, or declare an output schema if it is data',
  );
}

type UncheckedResult = { readonly content: readonly unknown[] } & Partial<
  Record<'structuredContent' | 'isError' | '_meta', unknown>
>;

const TOOL_RESULT_MEMBERS = ['content', 'structuredContent', 'isError', 'resultType', '_meta'];

/** True for an object with a list of content and nothing that a result has not. */
function meansResult(value: unknown): value is UncheckedResult {
  return (
    isJsonObject(value) &&
    Array.isArray(value['content']) &&
    Object.keys(value).every((key) => TOOL_RESULT_MEMBERS.includes(key))
  );
}

function isToolResult(value: unknown): value is UncheckedResult {
  return meansResult(value) && value.content.every(isContentBlock);
}

function whole(name: string, value: UncheckedResult): CallToolResult {
  const { isError, structuredContent, _meta } = value;
  if (isError !== undefined && typeof isError !== 'boolean') {
    throw new InvalidResultException(name, 'its isError is not a boolean', 'Say true or false');
  }
  if (_meta !== undefined && !isJsonObject(_meta)) {
    throw new InvalidResultException(name, 'its _meta is not an object', 'Give an object');
  }
  return {
    resultType: 'complete',
    content: value.content.map((item, index) => block({ name }, item, `content[${index}]`)),
    ...(structuredContent !== undefined && {
      structuredContent: asJson(jsonText(name, structuredContent)),
    }),
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta: asJson(jsonText(name, _meta)) as MetaObject }),
  };
}

/** The text is what a client without structured content reads; the value is what JSON makes of it. */
function structured(name: string, value: unknown): CallToolResult {
  const text = jsonText(name, value);
  return {
    resultType: 'complete',
    content: [{ type: 'text', text }],
    structuredContent: asJson(text),
  };
}

function asJson(text: string): unknown {
  return JSON.parse(text) as unknown;
}

/** Bytes have a JSON of sorts, which no schema means. */
function checkData(name: string, value: unknown): unknown {
  if (!isReturnedFile(value)) return value;
  throw new InvalidResultException(
    name,
    'it is bytes, and the tool declares an output schema',
    'Return an object that fits the schema, or { content, structuredContent }',
  );
}

function complete(content: ContentBlock[]): CallToolResult {
  return { resultType: 'complete', content };
}
