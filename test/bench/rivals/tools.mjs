/** The tools of both rivals. */
import { z } from 'zod';

export const EchoInput = z.object({
  text: z.string().max(200),
  times: z.number().int().min(1),
});

/** So many tools, each with a schema of its own. */
export function catalogue(tools) {
  return Array.from({ length: tools }, (_, index) => {
    const name = `tool_${index}`;
    return {
      name,
      title: `Tool ${name}`,
      description: `Searches what ${name} keeps`,
      input: z.object({
        words: z.string().min(1).max(200).describe('Words to look for'),
        limit: z.number().int().min(1).max(50).optional().describe('How many to return'),
        order: z.enum(['newest', 'oldest', 'best']).optional(),
      }),
    };
  });
}
