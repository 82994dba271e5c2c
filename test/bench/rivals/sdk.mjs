/**
 * The official SDK on node:http, as its documentation has it: stateless, a server object a request, and
 * its own codec for the state of conversations. The first argument names what it serves, the second how
 * much of it; it has no other tools, since it registers them anew for each request.
 */
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { announce } from './announce.mjs';
import { catalogue, EchoInput } from './tools.mjs';

const text = (words) => ({ content: [{ type: 'text', text: words }] });

const Survey = z.object({ questions: z.number().int().min(1) });
const Answer = z.object({ answer: z.string() });
const codec = createRequestStateCodec({ key: Buffer.alloc(32, 7) });

const servings = {
  echo: (server) =>
    server.registerTool(
      'echo_zod',
      { description: 'Says it again', inputSchema: EchoInput },
      async ({ text: words }) => text(words),
    ),
  large: (server) => {
    for (const { name, title, description, input } of tools) {
      server.registerTool(name, { title, description, inputSchema: input }, async ({ words }) =>
        text(words),
      );
    }
  },
  survey: (server) =>
    server.registerTool(
      'survey',
      { description: 'Asks so many questions, one after the other', inputSchema: Survey },
      async ({ questions }, ctx) => {
        const answers = ctx.mcpReq.requestState()?.answers ?? [];
        const given = acceptedContent(ctx.mcpReq.inputResponses, `q${answers.length + 1}`, Answer);
        if (given !== undefined) answers.push(given.answer);
        if (answers.length === questions) return text(answers.join(' '));
        const next = answers.length + 1;
        return inputRequired({
          inputRequests: {
            [`q${next}`]: inputRequired.elicit({
              message: `Question ${next}?`,
              requestedSchema: Answer,
            }),
          },
          requestState: await codec.mint({ answers }, ctx),
        });
      },
    ),
  telling: (server) => {
    server.registerTool('progress', { description: 'Reports a hundred times' }, async (ctx) => {
      const { progressToken } = ctx.mcpReq._meta ?? {};
      for (let progress = 1; progress <= 100; progress += 1) {
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
      }
      return text('done');
    });
    server.registerTool('change', { description: 'Tells all listeners of a change' }, async () => {
      handler.notify.toolsChanged();
      return text('told');
    });
  },
};

const [serving, count] = process.argv.slice(2);
const register = servings[serving];
const tools = catalogue(Number(count ?? 0));

const handler = createMcpHandler(
  () => {
    const server = new McpServer(
      { name: 'bench', version: '1.0.0' },
      { requestState: { verify: codec.verify } },
    );
    register(server);
    return server;
  },
  { maxSubscriptions: 2_000 },
);
const handle = toNodeHandler(handler);
const hostIsValid = localhostHostValidation();
const originIsValid = localhostOriginValidation();

const http = createServer((request, response) => {
  if (hostIsValid(request, response) && originIsValid(request, response)) {
    void handle(request, response);
  }
});
http.listen(0, '127.0.0.1', () => announce(`http://127.0.0.1:${http.address().port}/mcp`));
