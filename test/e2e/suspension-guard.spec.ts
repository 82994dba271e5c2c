import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { callTool, resultOf, stateOf, textOf } from '../support/wire.js';

const program = fileURLToPath(new URL('../fixtures/branching-server.mjs', import.meta.url));

describe('A branch that nobody listens to when its round suspends', () => {
  let child: ChildProcess;
  let url: string;
  let errors = '';

  beforeAll(async () => {
    child = fork(program, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [message] = (await once(child, 'message')) as [{ port: number }];
    url = `http://127.0.0.1:${message.port}/mcp`;
  });
  afterAll(() => {
    child.kill();
  });

  it.each([
    ['forgetful', 'did not wait'],
    ['later', 'branch accept'],
  ])('does not end the process, and the conversation goes on (%s)', async (name, text) => {
    for (let call = 0; call < 3; call += 1) {
      const first = await callTool(url, name);
      expect(resultOf(first).resultType).toBe('input_required');
      const second = await callTool(
        url,
        name,
        {},
        {
          requestState: stateOf(first),
          inputResponses: { 'elicit-1': { action: 'accept', content: { yes: true } } },
        },
      );
      expect(textOf(second)).toBe(text);
    }
    expect(child.exitCode).toBeNull();
    expect(errors).toBe('');
  });

  it('does not hide a mistake of the handler’s own: the process ends, as Node would end it', async () => {
    const ended = once(child, 'exit');
    await expect(callTool(url, 'buggy')).rejects.toThrow();
    expect(await ended).toEqual([1, null]);
    expect(errors).toContain('a bug of the handler');
  });
});
