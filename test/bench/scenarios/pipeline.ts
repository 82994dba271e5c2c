import { echoCall, echoed } from './call.js';
import { dacapo, NEST_ROUTES } from './programs.js';
import { type Contestant, requestsScenario } from './requests.scenario.js';

/** A route of Nest that sends the body back. */
function route(path: string): Contestant {
  const request = echoCall('echo_dto');
  return {
    server: NEST_ROUTES,
    path,
    request,
    verify: (answer) => {
      if (answer !== request.body) throw new Error(`Expected the body, got ${answer}`);
    },
  };
}

/**
 * What guards, interceptors and pipes cost, here and on a route of Nest: one of each, which is what
 * applications have, and ten of a kind, which tell the price of one.
 */
export const pipeline = requestsScenario('pipeline', {
  'nest none': route('/plain'),
  'nest one of each': route('/one'),
  'nest 10 guards': route('/guards'),
  'nest 10 interceptors': route('/interceptors'),
  'dacapo none': echoed(dacapo('fastify'), 'echo_dto'),
  'dacapo one of each': echoed(dacapo('fastify'), 'echo_one'),
  'dacapo 10 guards': echoed(dacapo('fastify'), 'echo_guards'),
  'dacapo 10 interceptors': echoed(dacapo('fastify'), 'echo_interceptors'),
});
