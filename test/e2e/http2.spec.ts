import { once } from 'node:events';
import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import { text } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import type { MakeAdapter } from '../support/adapters.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { ENVELOPE } from '../support/wire.js';

@Injectable()
class Tools {
  @McpTool()
  hello(): string {
    return 'hello';
  }

  @McpTool()
  count(@McpContext() ctx: McpToolContext): string {
    ctx.countingProgress(1).next();
    return 'counted';
  }
}

// Its type is that of the HTTP/1 server, which Nest's types want.
const adapter = (() => new FastifyAdapter({ http2: true } as object)) as MakeAdapter;

describe('A server on Fastify with HTTP/2', () => {
  let server: TestServer;
  let session: ClientHttp2Session;

  beforeAll(async () => {
    server = await startServer({ adapter, providers: [Tools] });
    session = connect(server.url);
  });

  afterAll(async () => {
    session.destroy();
    await server.app.close();
  });

  async function call(
    name: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number | undefined; body: string }> {
    const request = session.request({
      ':method': 'POST',
      ':path': '/mcp',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    });
    const params = { name, _meta: { ...ENVELOPE, progressToken: 'p' } };
    request.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    const [answer] = (await once(request, 'response')) as [
      IncomingHttpHeaders & IncomingHttpStatusHeader,
    ];
    return { status: answer[':status'], body: await text(request) };
  }

  it('knows its name by :authority', async () => {
    const { status, body } = await call('hello');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ result: { content: [{ text: 'hello' }] } });
  });

  it('sends progress before its answer', async () => {
    const { status, body } = await call('count');
    expect(status).toBe(200);
    expect(body).toMatch(/^data: .*"progress":1.*\n\ndata: .*"counted".*\n\n$/);
  });

  it('is not called by a name that is not its own, whatever the Host says', async () => {
    const { port } = server;
    const forged: Record<string, string>[] = [
      { ':authority': 'evil.example' },
      { ':authority': 'evil.example', host: `127.0.0.1:${port}` },
      { host: 'evil.example' },
    ];
    for (const headers of forged) {
      expect((await call('hello', headers)).status).toBe(403);
    }
  });
});
