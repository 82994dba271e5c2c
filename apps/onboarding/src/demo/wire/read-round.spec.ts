import { isOfTask, mayAsk, readRound } from './read-round.js';
import { roundWords } from './round-words.js';

const question = {
  jsonrpc: '2.0',
  id: 1,
  result: {
    resultType: 'input_required',
    inputRequests: {
      email: { method: 'elicitation/create', params: {} },
      plan: { method: 'elicitation/create', params: {} },
    },
    requestState: 'é'.repeat(10),
  },
};
const request = { method: 'tools/call', params: { name: 'open' } };

describe('rounds', () => {
  it('tell of a question', () => {
    const round = readRound(1, request, 200, JSON.stringify(question));
    expect(roundWords(round)).toEqual([
      'round 1  → tools/call open',
      '         ← input_required · asks email (elicitation/create) · asks plan (elicitation/create) · requestState 20 bytes',
    ]);
  });

  it('tell of answers and a result', () => {
    const params = {
      name: 'open',
      requestState: 'state',
      inputResponses: {
        email: { action: 'accept', content: { email: 'ada@example.com' } },
        plan: { action: 'decline' },
      },
    };
    const body = JSON.stringify({ result: { resultType: 'complete', content: [] } });
    expect(roundWords(readRound(2, { method: 'tools/call', params }, 200, body))).toEqual([
      'round 2  → tools/call open · email: accept {"email":"ada@example.com"} · plan: decline · requestState 5 bytes',
      '         ← complete',
    ]);
  });

  it('read the last message of an event stream', () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
    const body = [
      ': keep-alive',
      `data: ${JSON.stringify(progress)}`,
      `data: ${JSON.stringify(question)}`,
    ];
    const { outcome } = readRound(1, request, 200, `${body.join('\n\n')}\n\n`);
    expect(outcome).toMatchObject({ resultType: 'input_required', stateBytes: 20 });
  });

  it('tell of tasks', () => {
    const task = { taskId: 'Zk3f9a1bQq', status: 'working' };
    const created = JSON.stringify({ result: { resultType: 'task', ...task } });
    expect(roundWords(readRound(1, request, 200, created))[1]).toBe(
      '         ← task · status working',
    );
    const get = { method: 'tasks/get', params: { taskId: task.taskId } };
    const asking = {
      ...question.result,
      ...task,
      resultType: 'complete',
      status: 'input_required',
      statusMessage: '1/2: read',
      requestState: undefined,
      inputRequests: { taken: { method: 'elicitation/create' } },
    };
    expect([isOfTask(get), mayAsk(get)]).toEqual([true, false]);
    expect(roundWords(readRound(undefined, get, 200, JSON.stringify({ result: asking })))).toEqual([
      'task     → tasks/get Zk3f9a1b…',
      '         ← complete · status input_required · "1/2: read" · asks taken (elicitation/create)',
    ]);
  });

  it('tell of errors', () => {
    const body = JSON.stringify({ error: { code: -32602, message: 'Unknown tool: open' } });
    expect(roundWords(readRound(1, request, 400, body))[1]).toBe(
      '         ← HTTP 400 · error -32602 · Unknown tool: open',
    );
    expect(
      roundWords(
        readRound(1, { method: 'resources/read', params: { uri: 'a://b' } }, 502, '<html>'),
      ),
    ).toEqual([
      'round 1  → resources/read a://b',
      '         ← HTTP 502 · The server answered with HTTP 502.',
    ]);
  });
});
