import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { callTool, errorOf, resultOf, stateOf, textOf } from '../support/wire.js';

const program = fileURLToPath(new URL('../fixtures/branching-server.mjs', import.meta.url));

const yes = { action: 'accept', content: { yes: true } };

describe.each([
  ['that leaves rejections to Node', [], [1, null], 'a bug of the handler'],
  [
    'that listens for rejections',
    ['listening'],
    [3, null],
    'listener: Error: a bug of the handler',
  ],
])('In an application %s, a branch that nobody listens to', (_, args, end, message) => {
  let child: ChildProcess;
  let url: string;
  let errors = '';

  beforeAll(async () => {
    child = fork(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const [ready] = (await once(child, 'message')) as [{ port: number }];
    url = `http://127.0.0.1:${ready.port}/mcp`;
  });
  afterAll(() => {
    child.kill();
  });
  afterEach(async () => {
    // Longer than any branch of the server: what would end it has had its time.
    await callTool(url, 'forgetful').catch(() => undefined);
  });

  const expectAlive = (): void => {
    expect(child.exitCode).toBeNull();
    expect(errors).toBe('');
  };

  it.each([
    ['forgetful', { 'elicit-1': yes }, 'did not wait'],
    ['later', { 'elicit-1': yes }, 'branch accept'],
    ['wrapped', { 'elicit-1': yes }, 'branch accept'],
    ['first', { 'elicit-1': yes, 'elicit-2': yes }, 'branch accept'],
  ])('does not end the process when its round suspends (%s)', async (name, answers, text) => {
    for (let call = 0; call < 3; call += 1) {
      const first = await callTool(url, name);
      expect(resultOf(first).resultType).toBe('input_required');
      const second = await callTool(
        url,
        name,
        {},
        { requestState: stateOf(first), inputResponses: answers },
      );
      expect(textOf(second)).toBe(text);
    }
    expectAlive();
  });

  it('does not end the process when it asks after its round has suspended', async () => {
    const first = await callTool(url, 'tooLate');
    expect(Object.keys(resultOf(first).inputRequests ?? {})).toEqual(['elicit-1']);
    await callTool(url, 'forgetful');
    expectAlive();
    const second = await callTool(
      url,
      'tooLate',
      {},
      { requestState: stateOf(first), inputResponses: { 'elicit-1': yes } },
    );
    expect(Object.keys(resultOf(second).inputRequests ?? {})).toEqual(['elicit-2']);
    const third = await callTool(
      url,
      'tooLate',
      {},
      { requestState: stateOf(second), inputResponses: { 'elicit-2': yes } },
    );
    expect(textOf(third)).toBe('accept,branch accept');
  });

  it('does not end the process when its question is refused', async () => {
    const response = await callTool(
      url,
      'later',
      {},
      {},
      { meta: { 'io.modelcontextprotocol/clientCapabilities': {} } },
    );
    expect(errorOf(response).code).toBe(-32021);
    expectAlive();
  });

  it('does not end the process when it draws after the call has ended', async () => {
    expect(textOf(await callTool(url, 'drawsLate'))).toBe('did not wait');
    await callTool(url, 'forgetful');
    expectAlive();
  });

  it('leaves others their turn when it catches everything and asks again', async () => {
    const client = new AbortController();
    const stubborn = callTool(url, 'stubborn', {}, {}, { signal: client.signal });
    expect(resultOf(await callTool(url, 'forgetful')).resultType).toBe('input_required');
    client.abort();
    await expect(stubborn).rejects.toThrow('aborted');
    expectAlive();
  });

  it('does not hide a mistake of the handler’s own', async () => {
    const ended = once(child, 'exit');
    await expect(callTool(url, 'buggy')).rejects.toThrow();
    expect(await ended).toEqual(end);
    expect(errors).toContain(message);
  });
});
