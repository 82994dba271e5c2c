const DEFAULT_PORT = 3000;
const HIGHEST_PORT = 65_535;

/**
 * The port of `PORT`, or 3000.
 * @throws Error when it is none
 */
export function portOf(environment: NodeJS.ProcessEnv): number {
  const text = environment['PORT'] ?? '';
  if (text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= HIGHEST_PORT) return port;
  throw new Error(
    `PORT is ${JSON.stringify(text)}, which is no port. Set a number from 0 to ${HIGHEST_PORT}; 0 takes a free one.`,
  );
}
