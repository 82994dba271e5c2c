import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** An answer to a form. */
export interface Answer {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[] | undefined>;
}

/** What the client was asked, and how it answers. */
export type Answerer = (message: string) => Answer;

export interface ClientOptions {
  answer?: Answerer;
  headers?: Record<string, string>;
  capabilities?: ClientCapabilities;
  /** Sees, and may redirect, every request. */
  fetch?: typeof fetch;
}

/** The official client, connected. It plays the rounds of a conversation by itself. */
export async function connect(url: string, options: ClientOptions = {}): Promise<Client> {
  const client = new Client(
    { name: 'official', version: '2.4.0' },
    {
      capabilities: options.capabilities ?? { elicitation: {} },
      versionNegotiation: { mode: 'auto' },
    },
  );
  const { answer } = options;
  if (answer !== undefined) {
    client.setRequestHandler(
      'elicitation/create',
      async (request) => answer(request.params.message) as ElicitResult,
    );
  }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      ...(options.headers !== undefined && { requestInit: { headers: options.headers } }),
      ...(options.fetch !== undefined && { fetch: options.fetch }),
    }),
  );
  return client;
}
