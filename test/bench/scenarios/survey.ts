import type { Poster } from '../drive/poster.js';
import { resultOf, toolCall, type WireRequest } from '../wire.js';

/** Plays a conversation to its end, and gives its last request. */
export async function playSurvey(poster: Poster, questions: number): Promise<LastRound> {
  let rest: Record<string, unknown> = {};
  for (let round = 0; ; round += 1) {
    const request = toolCall('survey', { questions }, rest);
    const result = resultOf(await poster.post(request));
    if (result.requestState === undefined) {
      const answers = result.content?.[0]?.text?.split(' ').length;
      if (answers !== questions || round !== questions) {
        throw new Error(`${questions} questions ended in round ${round} with ${answers} answers.`);
      }
      return { request, requestState: (rest['requestState'] ?? '') as string };
    }
    const answers = Object.keys(result.inputRequests ?? {}).map((key) => [
      key,
      { action: 'accept', content: { answer: `answer-${round + 1}` } },
    ]);
    rest = {
      inputResponses: Object.fromEntries(answers) as unknown,
      requestState: result.requestState,
    };
  }
}

export interface LastRound {
  readonly request: WireRequest;
  readonly requestState: string;
}
