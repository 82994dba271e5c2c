import type { CreateTaskResult, DetailedTask } from '@dacapo/tasks';
import type { ElicitRequest } from '@modelcontextprotocol/client';
import { followTask } from './remote-task.js';

const task = {
  taskId: 'task-1',
  createdAt: '2026-07-28T12:00:00Z',
  lastUpdatedAt: '2026-07-28T12:00:00Z',
  ttlMs: null,
  pollIntervalMs: 1,
};
const created: CreateTaskResult = { ...task, resultType: 'task', status: 'working' };
const working: DetailedTask = { ...task, status: 'working' };
const asking = {
  ...task,
  status: 'input_required',
  inputRequests: { taken: { method: 'elicitation/create', params: { message: 'What now?' } } },
};
const result = { resultType: 'complete', content: [] };
const error = { code: -32603, message: 'Something broke.' };

describe('a task of another process', () => {
  let sent: unknown[];

  /** Follows a task that stands as told, poll by poll. */
  const follow = (
    stands: readonly unknown[],
    ask: (request: ElicitRequest) => Promise<{ action: 'accept' }>,
    signal?: AbortSignal,
  ) => {
    const left = [...stands];
    const send = async (method: string, params: object) => {
      sent.push([method, params]);
      return method === 'tasks/get' ? left.shift() : {};
    };
    return followTask(created, send, ask, signal);
  };
  const accept = async () => ({ action: 'accept' as const });

  beforeEach(() => {
    sent = [];
  });

  it('is polled, answered and polled again until it has a result', async () => {
    const asked: string[] = [];
    const outcome = await follow(
      [working, asking, working, { ...task, status: 'completed', result }],
      async ({ params }) => {
        asked.push(params.message);
        return { action: 'accept' };
      },
    );
    expect(outcome).toEqual({ result });
    expect(asked).toEqual(['What now?']);
    const get = ['tasks/get', { taskId: 'task-1' }];
    const inputResponses = { taken: { action: 'accept' } };
    const update = ['tasks/update', { taskId: 'task-1', inputResponses }];
    expect(sent).toEqual([get, get, update, get, get]);
  });

  it('hands on its error', async () => {
    await expect(follow([{ ...task, status: 'failed', error }], accept)).resolves.toEqual({
      error,
    });
  });

  it('has no outcome when somebody has cancelled it', async () => {
    const statusMessage = 'Cancelled by the client.';
    await expect(follow([{ ...task, status: 'cancelled', statusMessage }], accept)).rejects.toThrow(
      'The task was cancelled: Cancelled by the client.',
    );
  });

  it('is taken back by whoever does not answer, or goes away', async () => {
    const cancel = ['tasks/cancel', { taskId: 'task-1' }];
    await expect(
      follow([asking], () => Promise.reject(new Error('Nobody is there.'))),
    ).rejects.toThrow('Nobody is there.');
    expect(sent.at(-1)).toEqual(cancel);
    sent = [];
    await expect(follow([], accept, AbortSignal.abort())).rejects.toThrow(/abort/i);
    expect(sent).toEqual([cancel]);
  });
});
