import { wireRequest } from '../wire.js';
import { dacapo, sdk } from './programs.js';
import { type Contestant, requestsScenario } from './requests.scenario.js';

const EVENTS = 100;

function reported(server: Contestant['server']): Contestant {
  return {
    server,
    request: wireRequest(
      'tools/call',
      { name: 'progress', arguments: {} },
      { progressToken: 'progress' },
    ),
    verify: expectEvents,
  };
}

/** @throws Error when not all of the progress is there */
function expectEvents(answer: string): void {
  const count = answer.split('"notifications/progress"').length - 1;
  if (count !== EVENTS) throw new Error(`Expected ${EVENTS} events, got ${count}`);
}

/** A call that streams a hundred events before its answer. All numbers are for a whole call. */
export const progress = requestsScenario('progress', {
  'dacapo fastify': reported(dacapo('fastify')),
  'dacapo express': reported(dacapo('express')),
  sdk: reported(sdk('telling')),
});
