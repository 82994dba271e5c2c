import type { FetchLike } from '@modelcontextprotocol/client';
import { mayAsk, readRound, type WireRequest } from './read-round.js';
import type { Round } from './round.js';

/**
 * A `fetch` that tells of every round that travels through it. The response is read to its end
 * first, so that a round is told before the person is asked; only calls are read, and those end.
 */
export function tapFetch(onRound: (round: Round) => void): FetchLike {
  let number = 0;
  return async (url, init) => {
    const response = await fetch(url, init);
    const request = parseRequest(init?.body);
    if (!mayAsk(request)) return response;
    const body = await response.text();
    number = request.params?.requestState === undefined ? 1 : number + 1;
    onRound(readRound(number, request, response.status, body));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function parseRequest(body: unknown): WireRequest {
  return typeof body === 'string' ? (JSON.parse(body) as WireRequest) : {};
}
