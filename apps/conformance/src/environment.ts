import type { AnswerPolicy, McpReplayOptions } from '@dacapo/mcp';

/** What the environment says of the server. */
export interface Environment {
  readonly port: number;
  readonly adapter: 'fastify' | 'express';
  readonly replay: McpReplayOptions;
}

/**
 * Reads `PORT` (3001), `ADAPTER` (`fastify` or `express`), `DACAPO_SECRET`, `DACAPO_TTL_MS` and
 * `DACAPO_ANSWERS` (`lenient` here, because the suite answers questions before they are asked).
 * @throws Error naming the variable
 */
export function readEnvironment(env: NodeJS.ProcessEnv): Environment {
  const secret = env['DACAPO_SECRET'];
  const ttlMs = env['DACAPO_TTL_MS'];
  return {
    port: integer('PORT', env['PORT'] ?? '3001'),
    adapter: oneOf('ADAPTER', env['ADAPTER'], ['fastify', 'express']),
    replay: {
      answers: oneOf<AnswerPolicy>('DACAPO_ANSWERS', env['DACAPO_ANSWERS'], ['lenient', 'strict']),
      ...(secret !== undefined && { secret }),
      ...(ttlMs !== undefined && { ttlMs: integer('DACAPO_TTL_MS', ttlMs) }),
    },
  };
}

function integer(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} is ${JSON.stringify(text)}; give an integer.`);
  return Number(text);
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly [T, ...T[]],
): T {
  if (value === undefined) return allowed[0];
  const known = allowed.find((word) => word === value);
  if (known === undefined)
    throw new Error(`${name} is ${JSON.stringify(value)}; use ${allowed.join(' or ')}.`);
  return known;
}
