import { InvalidResultException } from '../../exceptions/index.js';
import { type GetPromptResult, isJsonObject, type PromptMessage } from '../../protocol/index.js';
import { claimsContent, contentProblem } from '../content/content-problem.js';
import { fileContent, resultUri } from '../content/file-content.js';
import { jsonText } from '../content/json-text.js';
import { isReturnedFile } from '../content/returned-file.js';
import type { PromptEntry } from './prompt.entry.js';

/** What the mapper must know of a prompt. */
export type ReturningPrompt = Pick<PromptEntry, 'name' | 'descriptor'>;

const MEND = 'Return text, content blocks, messages or { messages: […] }';

/**
 * Turns what a prompt returned into a result.
 *
 * | returned | messages |
 * | --- | --- |
 * | text, content block, bytes or a file | one of the user |
 * | message | as is |
 * | list of any of these | one each |
 * | `{ messages: […] }` | as is, with its description |
 *
 * @throws InvalidResultException for anything else
 */
export function toPromptResult(prompt: ReturningPrompt, value: unknown): GetPromptResult {
  const { name, descriptor } = prompt;
  if (isJsonObject(value) && Array.isArray(value['messages'])) {
    const { description, messages, _meta } = value;
    return {
      resultType: 'complete',
      ...(typeof description === 'string' && { description }),
      messages: (messages as unknown[]).map((item, index) =>
        toMessage(name, item, `messages[${index}]`, index + 1),
      ),
      ...(isJsonObject(_meta) && { _meta: metaOf(name, _meta) }),
    };
  }
  const { description } = descriptor;
  return {
    resultType: 'complete',
    ...(description !== undefined && { description }),
    messages: Array.isArray(value)
      ? value.map((item, index) => toMessage(name, item, `item ${index + 1}`, index + 1))
      : [toMessage(name, value, 'it')],
  };
}

function toMessage(name: string, value: unknown, where: string, position?: number): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isReturnedFile(value)) {
    const content = fileContent(value, undefined, (file) => resultUri(name, file, position));
    return { role: 'user', content };
  }
  if (isJsonObject(value) && 'role' in value) return ownMessage(name, value, where);
  if (claimsContent(value)) return ownMessage(name, { role: 'user', content: value }, where);
  throw new InvalidResultException(name, `${where} is nothing a prompt can say`, MEND);
}

function ownMessage(
  name: string,
  { role, content }: Record<string, unknown>,
  where: string,
): PromptMessage {
  if (role !== 'user' && role !== 'assistant') {
    throw new InvalidResultException(
      name,
      `${where} has the role ${JSON.stringify(role)}`,
      'Use "user" or "assistant"',
    );
  }
  const problem = contentProblem(content);
  if (problem === undefined) return { role, content: content as PromptMessage['content'] };
  throw new InvalidResultException(name, `of the content of ${where}, ${problem}`, MEND);
}

function metaOf(name: string, meta: object): GetPromptResult['_meta'] {
  return JSON.parse(jsonText(name, meta)) as GetPromptResult['_meta'];
}
