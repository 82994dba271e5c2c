import { InvalidResultException } from '../../exceptions/index.js';
import {
  type CallToolResult,
  type ContentBlock,
  isContentBlock,
  isJsonObject,
} from '../../protocol/index.js';
import { jsonText } from '../json-text.js';
import type { CompiledSchema } from '../../schema/index.js';

/**
 * Turns what a tool returned into a result.
 *
 * | returned | result |
 * | --- | --- |
 * | nothing | no content |
 * | text | one text block |
 * | content block, or a list of them | as is |
 * | `{ content: […] }` | as is |
 * | anything else | `structuredContent`, and its JSON as text |
 *
 * With an output schema every value but a whole result is structured content.
 * @throws InvalidResultException when the value cannot be sent or breaks the output schema
 */
export async function toToolResult(
  name: string,
  value: unknown,
  output: CompiledSchema | undefined,
): Promise<CallToolResult> {
  const result = map(name, value, output !== undefined);
  if (output !== undefined && result.isError !== true) {
    const verdict = await output.validate(result.structuredContent);
    if (!verdict.ok) {
      const problems = verdict.problems.map(({ path, message }) => `${path} ${message}`.trim());
      throw new InvalidResultException(name, `it breaks the output schema: ${problems.join('; ')}`);
    }
  }
  return result;
}

function map(name: string, value: unknown, structured: boolean): CallToolResult {
  if (isToolResult(value)) return { ...value, resultType: 'complete' };
  if (structured) return toStructured(name, value);
  if (value === undefined) return complete([]);
  if (typeof value === 'string') return complete([{ type: 'text', text: value }]);
  if (isContentBlock(value)) return complete([value]);
  if (Array.isArray(value) && value.length > 0 && value.every(isContentBlock)) {
    return complete(value);
  }
  return toStructured(name, value);
}

function isToolResult(value: unknown): value is CallToolResult {
  return (
    isJsonObject(value) &&
    Array.isArray(value['content']) &&
    value['content'].every(isContentBlock) &&
    Object.keys(value).every((key) => TOOL_RESULT_MEMBERS.includes(key))
  );
}

const TOOL_RESULT_MEMBERS = ['content', 'structuredContent', 'isError', 'resultType', '_meta'];

/** The text is what a client without structured content reads; the value is what JSON makes of it. */
function toStructured(name: string, value: unknown): CallToolResult {
  const text = jsonText(name, value);
  return {
    resultType: 'complete',
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as unknown,
  };
}

function complete(content: ContentBlock[]): CallToolResult {
  return { resultType: 'complete', content };
}
