import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';

/** The earlier revisions that servers are tested with. */
export const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

export type Revision = (typeof REVISIONS)[number];

export interface LegacyClientOptions {
  readonly revision?: Revision;
  readonly headers?: Record<string, string>;
  /** Sees, and may redirect, every request. */
  readonly fetch?: typeof fetch;
  readonly capabilities?: ClientCapabilities;
  /** Registers what answers the server's own requests, before the connection is there. */
  readonly prepare?: (client: Client) => void;
}

/** The official client, connected as one of an earlier revision. */
export async function connectLegacy(
  url: string,
  { revision = '2025-11-25', headers, capabilities = {}, prepare, fetch }: LegacyClientOptions = {},
): Promise<Client> {
  const client = new Client(
    { name: 'earlier', version: '1.0.0' },
    {
      capabilities,
      versionNegotiation: { mode: 'legacy' },
      supportedProtocolVersions: [revision],
    },
  );
  prepare?.(client);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      ...(headers !== undefined && { requestInit: { headers } }),
      ...(fetch !== undefined && { fetch }),
    }),
  );
  return client;
}
