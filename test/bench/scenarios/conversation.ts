import { driveConversations } from '../drive/conversations.js';
import { Poster } from '../drive/poster.js';
import type { Measured } from '../measure/measured.js';
import { measureInTurn, type Subject } from '../measure/passes.js';
import { dacapo, type Program, sdk } from './programs.js';
import type { Bench, Scenario } from './scenario.js';
import { playSurvey } from './survey.js';

const QUESTIONS = 2;

const SERVERS: Readonly<Record<string, Program>> = {
  'conversation dacapo fastify': dacapo('fastify'),
  'conversation dacapo express': dacapo('express'),
  'conversation sdk': sdk('survey'),
};

/** Conversations of three rounds. All numbers are for a whole one. */
export const conversation: Scenario = {
  name: 'conversation',
  lines: Object.keys(SERVERS),
  async run({ workbench, effort, wants }: Bench): Promise<Measured[]> {
    const { connections } = effort;
    const subjects: Subject[] = [];
    const posters: Poster[] = [];
    for (const [name, program] of Object.entries(SERVERS)) {
      if (!wants(name)) continue;
      const server = await workbench.start(...program);
      const poster = new Poster(server.url, connections);
      posters.push(poster);
      subjects.push({
        name,
        server,
        drive: (amount) =>
          driveConversations(poster, (by) => playSurvey(by, QUESTIONS), { connections, amount }),
      });
    }
    try {
      return await measureInTurn(subjects, effort);
    } finally {
      for (const poster of posters) poster.close();
    }
  },
};
