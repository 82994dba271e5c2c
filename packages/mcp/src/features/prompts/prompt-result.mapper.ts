import { InvalidResultException } from '../../exceptions/index.js';
import {
  type GetPromptResult,
  isContentBlock,
  isJsonObject,
  type PromptMessage,
} from '../../protocol/index.js';

/**
 * Turns what a prompt returned into a result: text or content blocks become messages of the user,
 * messages and whole results stay as they are.
 * @throws InvalidResultException for anything else
 */
export function toPromptResult(
  name: string,
  value: unknown,
  description: string | undefined,
): GetPromptResult {
  if (isJsonObject(value) && Array.isArray(value['messages'])) {
    return {
      resultType: 'complete',
      ...(typeof value['description'] === 'string' && { description: value['description'] }),
      messages: value['messages'].map((message) => toMessage(name, message)),
      ...(isJsonObject(value['_meta']) && { _meta: value['_meta'] }),
    };
  }
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return {
    resultType: 'complete',
    ...(description !== undefined && { description }),
    messages: items.map((item) => toMessage(name, item)),
  };
}

function toMessage(name: string, value: unknown): PromptMessage {
  if (typeof value === 'string') return { role: 'user', content: { type: 'text', text: value } };
  if (isContentBlock(value)) return { role: 'user', content: value };
  if (
    isJsonObject(value) &&
    (value['role'] === 'user' || value['role'] === 'assistant') &&
    isContentBlock(value['content'])
  ) {
    return { role: value['role'], content: value['content'] };
  }
  throw new InvalidResultException(
    name,
    'a prompt returns text, content blocks, messages or { messages: […] }',
  );
}
