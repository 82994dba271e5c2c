import { Poster } from '../drive/poster.js';
import type { RunningServer } from '../process/running-server.js';
import { resultOf, wireRequest } from '../wire.js';
import { dacapoLarge, FASTIFY_BYTES, mcpNest, sdk } from './programs.js';
import { type Contestant, requestsScenario, type Start } from './requests.scenario.js';

const TOOLS = 200;
const request = wireRequest('tools/list');

function listed(server: Contestant['server']): Contestant {
  return { server, request, verify: expectTools };
}

/** @throws Error when the answer has not all tools */
function expectTools(answer: string): void {
  const count = resultOf(answer).tools?.length;
  if (count !== TOOLS) throw new Error(`Expected ${TOOLS} tools, got ${count}`);
}

/** Hands the floor the very bytes that Dacapo sends. */
async function giveBytes(floor: RunningServer, start: Start): Promise<undefined> {
  const dacapo = await start(dacapoLarge('fastify', TOOLS));
  const poster = new Poster(dacapo.url, 1);
  const bytes = await poster.post(request);
  poster.close();
  await fetch(floor.url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
}

/** `tools/list` of many tools on one page, beside a server that sends the same bytes. */
export const list = requestsScenario('list', {
  'bytes fastify': { ...listed(FASTIFY_BYTES), prepare: giveBytes },
  'dacapo fastify': listed(dacapoLarge('fastify', TOOLS)),
  'dacapo express': listed(dacapoLarge('express', TOOLS)),
  sdk: listed(sdk('large', TOOLS)),
  'mcp-nest': listed(mcpNest(TOOLS)),
});
