import type { CallToolResult } from '@dacapo/mcp';
import type { TestConversation } from './test-conversation.js';

/** A tool call that has ended. */
export class ToolCall<Output = unknown> {
  /** @internal */
  constructor(readonly conversation: TestConversation<CallToolResult>) {}

  get result(): CallToolResult {
    return this.conversation.result;
  }

  /** Whether the tool says that it has failed. */
  get isError(): boolean {
    return this.result.isError === true;
  }

  /** The texts of the content, a line each. */
  get text(): string {
    return this.result.content
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('\n');
  }

  /** @throws Error when the result has none */
  get structured(): Output {
    const { structuredContent } = this.result;
    if (structuredContent !== undefined) return structuredContent as Output;
    throw new Error(
      `The result has no structured content${this.isError ? '; the tool has failed' : ''}: ${JSON.stringify(this.text)}`,
    );
  }
}
