import { Injectable } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { McpTool } from '@dacapo/mcp';
import { startServer } from '../support/test-server.js';
import { callTool, errorOf, post, textOf } from '../support/wire.js';

@Injectable()
class Tools {
  @McpTool({ description: 'Greets' })
  hello(): string {
    return 'Hello';
  }
}

describe('An Express instance that brings a body parser of its own', () => {
  it('is served from what the parser has read', async () => {
    const instance = express();
    instance.use(express.json());
    const server = await startServer({
      adapter: () => new ExpressAdapter(instance),
      providers: [Tools],
    });
    expect(textOf(await callTool(server.url, 'hello'))).toBe('Hello');
    const batch = await post(server.url, '[]');
    expect(batch.status).toBe(400);
    expect(errorOf(batch).code).toBe(-32600);
    const foreign = await post(server.url, '{}', { origin: 'https://evil.example.com' });
    expect(foreign.status).toBe(403);
    await server.close();
  });
});

describe('Express', () => {
  it.each(['/mcp/', '/MCP'])(
    'serves the endpoint at %s too, as it does any route',
    async (path) => {
      const server = await startServer({
        adapter: () => new ExpressAdapter(),
        providers: [Tools],
      });
      expect(textOf(await callTool(new URL(path, server.url).href, 'hello'))).toBe('Hello');
      await server.close();
    },
  );
});
