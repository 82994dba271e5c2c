import { InvalidAskException } from '../exceptions/index.js';
import type { SamplingContent, SamplingMessage } from '../protocol/index.js';

/**
 * Holds a conversation with a model against what the protocol demands of its tool loops: results
 * stand alone in a user's message, and answer exactly the uses of the assistant's message before.
 * @throws InvalidAskException
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
export function checkSampleMessages(messages: readonly SamplingMessage[]): void {
  let open: readonly string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = [content].flat();
    checkAnswered(index, open, resultsOf(index, role, blocks));
    open = usesOf(index, role, blocks);
  }
  checkAnswered(messages.length, open, []);
}

function resultsOf(
  index: number,
  role: SamplingMessage['role'],
  blocks: readonly SamplingContent[],
): readonly string[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  if (results.length > 0 && (role !== 'user' || results.length < blocks.length)) {
    throw new InvalidAskException(
      `Message ${index + 1} of a request for sampling mixes tool results with other content`,
      'Give tool results in a message of the user that holds nothing else',
    );
  }
  return results.map(({ toolUseId }) => toolUseId);
}

function usesOf(
  index: number,
  role: SamplingMessage['role'],
  blocks: readonly SamplingContent[],
): readonly string[] {
  const uses = blocks.filter((block) => block.type === 'tool_use');
  if (uses.length > 0 && role !== 'assistant') {
    throw new InvalidAskException(
      `Message ${index + 1} of a request for sampling has the user use a tool`,
      'Only the assistant uses tools; the user gives their results',
    );
  }
  return uses.map(({ id }) => id);
}

function checkAnswered(index: number, uses: readonly string[], results: readonly string[]): void {
  if (JSON.stringify(uses.toSorted()) === JSON.stringify(results.toSorted())) return;
  throw new InvalidAskException(
    `The tools used before message ${index + 1} of a request for sampling are not those whose results it gives`,
    'Follow each message that uses tools by one with a result for each use',
  );
}
