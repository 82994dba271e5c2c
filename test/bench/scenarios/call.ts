import { resultOf, toolCall, type WireRequest } from '../wire.js';
import { dacapo, EXPRESS_ECHO, FASTIFY_ECHO, mcpNest, sdk } from './programs.js';
import { type Contestant, requestsScenario } from './requests.scenario.js';

export const TEXT = 'The quick brown fox jumps over the lazy dog.';

export function echoCall(tool: string): WireRequest {
  return toolCall(tool, { text: TEXT, times: 1 });
}

/** A call of a tool that returns its text. */
export function echoed(server: Contestant['server'], tool: string): Contestant {
  return { server, request: echoCall(tool), verify: expectText };
}

/** @throws Error when the answer is another than the text that was sent */
export function expectText(answer: string): void {
  const text = resultOf(answer).content?.[0]?.text;
  if (text !== TEXT) throw new Error(`Expected the text, got ${answer}`);
}

/** @throws Error when the answer is another than the body that was sent */
function expectEcho(answer: string): void {
  const { body } = echoCall('echo_zod');
  if (answer !== body) throw new Error(`Expected ${body}, got ${answer}`);
}

const request = echoCall('echo_zod');

/** `tools/call` of an echo, beside servers that send a body back. */
export const call = requestsScenario('call', {
  'echo fastify': { server: FASTIFY_ECHO, request, verify: expectEcho },
  'echo express': { server: EXPRESS_ECHO, request, verify: expectEcho },
  'dacapo fastify json': echoed(dacapo('fastify'), 'echo_json'),
  'dacapo fastify zod': echoed(dacapo('fastify'), 'echo_zod'),
  'dacapo fastify dto': echoed(dacapo('fastify'), 'echo_dto'),
  'dacapo express json': echoed(dacapo('express'), 'echo_json'),
  'dacapo express zod': echoed(dacapo('express'), 'echo_zod'),
  'dacapo express dto': echoed(dacapo('express'), 'echo_dto'),
  'sdk zod': echoed(sdk('echo'), 'echo_zod'),
  'mcp-nest zod': echoed(mcpNest(), 'echo_zod'),
});
