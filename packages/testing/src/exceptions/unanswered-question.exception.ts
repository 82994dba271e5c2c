import type { AskedQuestion } from '../asked-question.js';

/** The handler has asked, and the script of the test has no answer. */
export class UnansweredQuestionException extends Error {
  constructor(readonly questions: readonly AskedQuestion[]) {
    super(
      `Nothing answers ${questions.map(describe).join(', ')}. Give the call an answer by that key, ` +
        'or start it with startTool(), startPrompt() or startResource() and answer round by round.',
    );
    this.name = 'UnansweredQuestionException';
  }
}

function describe({ key, message, round }: AskedQuestion): string {
  return `"${key}" of round ${String(round)} (${JSON.stringify(message)})`;
}
