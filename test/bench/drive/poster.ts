import { Agent, request } from 'node:http';
import type { WireRequest } from '../wire.js';

/** Posts requests over connections that stay open. */
export class Poster {
  private readonly agent: Agent;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** @throws Error when something else than a success comes back */
  post({ headers, body }: WireRequest): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(
        this.url,
        {
          method: 'POST',
          agent: this.agent,
          headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`${this.url}: HTTP ${response.statusCode} ${text}`));
          });
        },
      );
      sent.once('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
