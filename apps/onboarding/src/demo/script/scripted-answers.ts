import type { ElicitResult } from '@modelcontextprotocol/client';
import type { Answerer, Question } from '../client/mcp-session.js';
import type { Screen } from '../terminal/screen.js';

/** Answers questions in the order of a list, and shows them as they come. */
export class ScriptedAnswers {
  private readonly answers: ElicitResult[] = [];

  constructor(private readonly screen: Screen) {}

  /** The answers to the questions of the next call. */
  prepare(...answers: ElicitResult[]): void {
    this.answers.splice(0, this.answers.length, ...answers);
  }

  /** How many questions were not asked. */
  get left(): number {
    return this.answers.length;
  }

  readonly answer: Answerer = ({ message }: Question) => {
    const answer = this.answers.shift();
    this.screen.print(`    ${this.screen.bold('?')} ${message}`);
    if (answer === undefined) {
      return Promise.reject(new Error(`The script has no answer to ${JSON.stringify(message)}.`));
    }
    const content = answer.content === undefined ? '' : ` ${JSON.stringify(answer.content)}`;
    this.screen.print(`    ${this.screen.bold('!')} ${answer.action}${content}`);
    return Promise.resolve(answer);
  };
}
