import { Injectable } from '@nestjs/common';
import { McpArg, McpPrompt } from '@dacapo/mcp';
import { startServer } from '../support/test-server.js';
import { resultOf, send } from '../support/wire.js';

@Injectable()
class Prompts {
  @McpPrompt()
  odd(
    @McpArg('constructor', { required: false }) first?: string,
    @McpArg('toString', { required: false }) second?: string,
  ): string {
    return `${typeof first} ${typeof second}`;
  }
}

describe('Arguments with the names of what every object has', () => {
  it('are absent when they are not sent', async () => {
    const server = await startServer({ providers: [Prompts] });
    const result = resultOf(await send(server.url, 'prompts/get', { name: 'odd' }));
    expect(result).toMatchObject({ messages: [{ content: { text: 'undefined undefined' } }] });
    const given = { name: 'odd', arguments: { toString: 'x' } };
    expect(resultOf(await send(server.url, 'prompts/get', given))).toMatchObject({
      messages: [{ content: { text: 'undefined string' } }],
    });
    await server.close();
  });
});
