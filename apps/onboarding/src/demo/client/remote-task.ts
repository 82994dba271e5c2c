import { setTimeout as pause } from 'node:timers/promises';
import type { InputRequest, JsonRpcErrorObject } from '@dacapo/mcp';
import { type CreateTaskResult, type DetailedTask, TaskMethod } from '@dacapo/tasks';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

/** How often a task is asked after, where the server does not say. */
const POLL_MS = 1_000;

/** Sends a request that concerns a task. */
export type SendOfTask = (
  method: string,
  params: { readonly taskId: string; readonly inputResponses?: Record<string, ElicitResult> },
) => Promise<unknown>;

/** Asks the person. */
export type AskPerson = (request: ElicitRequest) => Promise<ElicitResult>;

/** What became of a task, as the rest of a JSON-RPC response. */
export type TaskOutcome = { readonly result: object } | { readonly error: JsonRpcErrorObject };

/**
 * Polls a task to its end, and answers its questions on the way. Whoever gives up takes the task back.
 * @param signal gives up
 */
export async function followTask(
  { taskId, pollIntervalMs = POLL_MS }: CreateTaskResult,
  send: SendOfTask,
  ask: AskPerson,
  signal: AbortSignal | undefined,
): Promise<TaskOutcome> {
  try {
    for (;;) {
      await pause(pollIntervalMs, undefined, { signal });
      const task = (await send(TaskMethod.Get, { taskId })) as DetailedTask;
      switch (task.status) {
        case 'working':
          break;
        case 'input_required': {
          const inputResponses = await answersTo(task.inputRequests, ask);
          await send(TaskMethod.Update, { taskId, inputResponses });
          break;
        }
        case 'completed':
          return { result: task.result };
        case 'failed':
          return { error: task.error };
        case 'cancelled':
          throw new Error(`The task was cancelled: ${task.statusMessage ?? 'nobody says why'}`);
      }
    }
  } catch (error) {
    // That it was given up is what counts; a task that has ended, or is not there, needs no taking back.
    await send(TaskMethod.Cancel, { taskId }).catch(() => undefined);
    throw error;
  }
}

async function answersTo(
  requests: Readonly<Record<string, InputRequest>>,
  ask: AskPerson,
): Promise<Record<string, ElicitResult>> {
  const answers: Record<string, ElicitResult> = {};
  for (const [key, request] of Object.entries(requests)) {
    // The client declares nothing else that it could be asked.
    answers[key] = await ask(request as ElicitRequest);
  }
  return answers;
}
