import { Poster } from '../drive/poster.js';
import { driveRequests } from '../drive/requests.js';
import type { Measured } from '../measure/measured.js';
import { measureInTurn, type Subject } from '../measure/passes.js';
import { dacapo } from './programs.js';
import type { Bench, Scenario } from './scenario.js';
import { type LastRound, playSurvey } from './survey.js';

const QUESTIONS = [1, 4, 16, 64];

const nameOf = (questions: number): string => `rounds dacapo ${questions}`;

/** The last round of longer and longer conversations, sent over and over: tokens may be used again. */
export const rounds: Scenario = {
  name: 'rounds',
  lines: QUESTIONS.map(nameOf),
  async run({ workbench, effort, wants }: Bench): Promise<Measured[]> {
    const { connections } = effort;
    const wanted = QUESTIONS.filter((questions) => wants(nameOf(questions)));
    const server = await workbench.start(...dacapo('fastify'));
    const poster = new Poster(server.url, 1);
    const last: LastRound[] = [];
    for (const questions of wanted) last.push(await playSurvey(poster, questions));
    poster.close();
    const subjects = wanted.map((questions, index): Subject => {
      const { request } = last[index] as LastRound;
      return {
        name: nameOf(questions),
        server,
        drive: (amount) => driveRequests(server.url, request, { connections, amount }),
      };
    });
    const measured = await measureInTurn(subjects, effort);
    return measured.map(({ name, values }, index) => ({
      name,
      values: { ...values, stateBytes: last[index]?.requestState.length ?? NaN },
    }));
  },
};
