import type { JsonSchema } from '@dacapo/mcp';

/** The schema of an object of what it must have. */
export function objectOf(members: Record<string, 'string' | 'number'>): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, type]) => [name, { type }])),
    required: Object.keys(members),
  };
}
