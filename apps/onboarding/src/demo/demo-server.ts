import { TokenService } from '../auth/token.service.js';
import { createApp, LOOPBACK } from '../create-app.js';

/** The onboarding server, running in this process. */
export interface DemoServer {
  readonly url: string;
  /** A bearer token that names a caller. */
  tokenFor(subject: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the server on a free port that only this machine reaches. */
export async function startDemoServer(): Promise<DemoServer> {
  // The transcript belongs to the conversation; what goes wrong is still told.
  const app = await createApp({ logger: ['error', 'fatal'] });
  await app.listen(0, LOOPBACK);
  const tokens = app.get(TokenService);
  return {
    url: `${await app.getUrl()}/mcp`,
    tokenFor: (subject) => tokens.sign(subject),
    close: () => app.close(),
  };
}
