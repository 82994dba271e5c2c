import { rival } from '../process/rivals.js';

/** A program, seen from the compiled bench, and its arguments. */
export type Program = readonly [program: string, ...args: string[]];

export const FASTIFY_ECHO: Program = ['servers/fastify-echo.js'];
export const EXPRESS_ECHO: Program = ['servers/express-echo.js'];
export const FASTIFY_BYTES: Program = ['servers/fastify-bytes.js'];
export const NEST_ROUTES: Program = ['servers/nest-routes.js'];

export type AdapterName = 'fastify' | 'express';

export function dacapo(adapter: AdapterName): Program {
  return ['servers/dacapo/app.js', adapter];
}

export function dacapoLarge(adapter: AdapterName, tools: number): Program {
  return ['servers/dacapo/large.js', adapter, String(tools)];
}

export function sdk(serving: 'echo' | 'survey' | 'telling' | 'large', tools = 0): Program {
  return [rival('sdk.mjs'), serving, String(tools)];
}

export function mcpNest(tools = 0): Program {
  return [rival('mcp-nest.mjs'), String(tools)];
}
