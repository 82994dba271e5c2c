import type { Answer, Answers } from './answers.js';
import type { AskedQuestion } from './asked-question.js';
import { UnansweredQuestionException } from './exceptions/unanswered-question.exception.js';
import { UnusedAnswersException } from './exceptions/unused-answers.exception.js';

/**
 * Reads out answers as questions come.
 *
 * 1. An answer is used once.
 * 2. Of a round some questions may stay open, but not all: the conversation would never end.
 * 3. An answer that nothing has asked for is a mistake of the script.
 */
export class AnswerScript {
  /** The answer to a question, if there is one. */
  readonly answerTo: (question: AskedQuestion) => Answer | undefined;
  /** What has not been used, in words. */
  private readonly unused: () => string[];

  constructor(answers: Answers) {
    if (typeof answers === 'function') {
      this.answerTo = answers;
      this.unused = () => [];
    } else if (isList(answers)) {
      const left = [...answers];
      this.answerTo = () => left.shift();
      this.unused = () =>
        left.map((_, index) => `#${String(answers.length - left.length + index + 1)}`);
    } else {
      const left = new Map(
        Object.entries(answers).map(([key, answer]) => [
          key,
          isList(answer) ? [...answer] : [answer],
        ]),
      );
      this.answerTo = ({ key }) => left.get(key)?.shift();
      this.unused = () =>
        [...left].filter(([, queue]) => queue.length > 0).map(([key]) => JSON.stringify(key));
    }
  }

  /** @throws UnansweredQuestionException */
  answer(questions: readonly AskedQuestion[]): { [key: string]: Answer } {
    const answers = questions.flatMap((question): [string, Answer][] => {
      const answer = this.answerTo(question);
      return answer === undefined ? [] : [[question.key, answer]];
    });
    if (answers.length === 0) throw new UnansweredQuestionException(questions);
    return Object.fromEntries(answers);
  }

  /** @param result of the call @throws UnusedAnswersException */
  end(result: object): void {
    const unused = this.unused();
    if (unused.length > 0) throw new UnusedAnswersException(unused, result);
  }
}

function isList(value: object): value is readonly Answer[] {
  return Array.isArray(value);
}
