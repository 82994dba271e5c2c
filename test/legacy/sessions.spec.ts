import { Injectable } from '@nestjs/common';
import {
  McpArg,
  McpContext,
  McpNotifier,
  McpResource,
  McpTool,
  McpToolContext,
  InjectMcpNotifier,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import { connectLegacy, REVISIONS } from '../support/legacy-client.js';
import { connect } from '../support/official-client.js';
import { startServer, type TestServer } from '../support/test-server.js';

@Injectable()
class Tools {
  constructor(@InjectMcpNotifier() private readonly notifier: McpNotifier) {}

  @McpTool({ description: 'Asks' })
  async greet(@McpContext() ctx: McpToolContext): Promise<string> {
    const name = await ctx.elicit('Name?', (form) => form.string('name'));
    if (name.action !== 'accept') return name.action;
    const city = await ctx.elicit('City?', (form) => form.string('city'));
    return city.action === 'accept' ? `${name.content.name} of ${city.content.city}` : 'nowhere';
  }

  @McpTool({ description: 'Logs' })
  async talk(@McpContext() ctx: McpToolContext): Promise<string> {
    ctx.log.info('hello');
    ctx.countingProgress(2).next();
    return 'said';
  }

  @McpTool({
    description: 'Has an argument that gateways route on',
    input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
  })
  where(@McpArg('region') region: string): string {
    return region;
  }

  @McpResource({ uri: 'docs://a' })
  doc(): string {
    return 'text';
  }

  @McpTool({ description: 'Changes' })
  change(): string {
    this.notifier.resourceUpdated('docs://a');
    return 'changed';
  }
}

describe.each(adapters)('sessions on %s', (_, adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ adapter, mcp: { legacy: 'sessions' }, providers: [Tools] });
  });
  afterAll(() => server.close());

  it.each(REVISIONS)('serves the official client of %s', async (revision) => {
    const client = await connectLegacy(server.url, { revision });
    expect(client.getServerVersion()).toMatchObject({ name: 'test' });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('greet');
    expect(await client.callTool({ name: 'talk' })).toEqual({
      content: [{ type: 'text', text: 'said' }],
    });
    expect(await client.readResource({ uri: 'docs://a' })).toMatchObject({
      contents: [{ text: 'text' }],
    });
    await client.close();
  });

  it.each(['2025-11-25', '2025-06-18'] as const)('asks the client of %s', async (revision) => {
    const client = await connectLegacy(server.url, {
      revision,
      capabilities: { elicitation: {} },
      prepare: (made) =>
        made.setRequestHandler('elicitation/create', ({ params }) => ({
          action: 'accept',
          content: { [params.message === 'Name?' ? 'name' : 'city']: params.message },
        })),
    });
    expect(await client.callTool({ name: 'greet' })).toMatchObject({
      content: [{ text: 'Name? of City?' }],
    });
    await client.close();
  });

  it('wants no headers that its clients do not send', async () => {
    const client = await connectLegacy(server.url);
    expect(await client.callTool({ name: 'where', arguments: { region: 'eu' } })).toEqual({
      content: [{ type: 'text', text: 'eu' }],
    });
    await client.close();
  });

  it('serves old and new clients at once', async () => {
    const [earlier, current] = await Promise.all([connectLegacy(server.url), connect(server.url)]);
    for (const client of [earlier, current]) {
      expect(await client.callTool({ name: 'talk' })).toMatchObject({
        content: [{ text: 'said' }],
      });
    }
    await Promise.all([earlier.close(), current.close()]);
  });
});
