import { McpToolException } from './mcp-tool.exception.js';

/** An answer that did not fit its question as often as one may be given. */
export class UnfitAnswerException extends McpToolException {
  constructor(
    readonly key: string,
    label: string,
    readonly attempts: number,
    readonly reasons: readonly string[],
  ) {
    super(
      `The answer to ${JSON.stringify(label)} did not fit ${attempts === 1 ? 'once' : `${attempts} times`}, as often as it may: ` +
        `${reasons.join('; ')}. Start the call anew.`,
    );
    this.name = 'UnfitAnswerException';
  }
}
