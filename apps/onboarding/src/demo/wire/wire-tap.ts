import type { FetchLike } from '@modelcontextprotocol/client';
import { isOfTask, mayAsk, readRequest, readRound } from './read-round.js';
import type { Round } from './round.js';

/**
 * A `fetch` that tells of every round that travels through it, and of what is said of tasks. The response
 * is read to its end first, so that a round is told before the person is asked; only calls are read, and
 * those end.
 */
export function tapFetch(onRound: (round: Round) => void): FetchLike {
  let number = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    const request = readRequest(init?.body);
    if (!mayAsk(request) && !isOfTask(request)) return response;
    const body = await response.text();
    if (mayAsk(request)) number = request.params?.requestState === undefined ? 1 : number + 1;
    const round = mayAsk(request) ? number : undefined;
    onRound(readRound(round, request, response.status, body));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
