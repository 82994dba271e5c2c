import { isJsonObject, type SamplingContent } from '../protocol/index.js';

type Block = Readonly<Record<string, unknown>>;

/** What a block of each type must have, so that handlers can read it without looking twice. */
const CHECKS: Readonly<Record<SamplingContent['type'], (block: Block) => boolean>> = {
  text: ({ text }) => typeof text === 'string',
  image: isMedia,
  audio: isMedia,
  tool_use: ({ id, name, input }) =>
    typeof id === 'string' && typeof name === 'string' && isJsonObject(input),
  tool_result: ({ toolUseId, content }) => typeof toolUseId === 'string' && Array.isArray(content),
};

/** True for a content block of a sampling message, as the protocol defines it. */
export function isSamplingContent(block: unknown): boolean {
  if (!isJsonObject(block)) return false;
  const { type } = block;
  return (
    typeof type === 'string' &&
    Object.hasOwn(CHECKS, type) &&
    CHECKS[type as SamplingContent['type']](block)
  );
}

function isMedia({ data, mimeType }: Block): boolean {
  return typeof data === 'string' && typeof mimeType === 'string';
}
