import { randomUUID } from 'node:crypto';
import { McpMethod } from '@dacapo/mcp';
import type { CreateTaskResult } from '@dacapo/tasks';
import type { FetchLike } from '@modelcontextprotocol/client';
import { readRequest, readResponse } from '../wire/read-round.js';
import { type AskPerson, followTask, type SendOfTask } from './remote-task.js';

type FetchInit = NonNullable<Parameters<FetchLike>[1]>;

/**
 * A `fetch` that plays tasks: where a call is answered with a task, the answer of `fetch` is what became
 * of it. The official client can declare the extension, and takes no answer that is a task.
 */
export function playTasks(send: FetchLike, ask: AskPerson): FetchLike {
  return async (url, init = {}) => {
    const response = await send(url, init);
    const { id, method, params } = readRequest(init.body);
    if (method !== McpMethod.ToolsCall) return response;
    const body = await response.text();
    const { result } = readResponse(body);
    if (result?.resultType !== 'task') {
      const { status, statusText, headers } = response;
      return new Response(body, { status, statusText, headers });
    }
    const outcome = await followTask(
      result as CreateTaskResult,
      ofTask(send, url, init, params?._meta),
      ask,
      init.signal ?? undefined,
    );
    return Response.json({ jsonrpc: '2.0', id, ...outcome });
  };
}

/** Sends what concerns a task as the call was sent: same caller, same envelope. */
function ofTask(
  send: FetchLike,
  url: string | URL,
  init: FetchInit,
  _meta: object | undefined,
): SendOfTask {
  return async (method, params) => {
    const headers = new Headers(init.headers);
    headers.set('mcp-method', method);
    headers.set('mcp-name', params.taskId);
    const message = { jsonrpc: '2.0', id: randomUUID(), method, params: { ...params, _meta } };
    // Its signal ends the call; the task is still to be taken back then.
    const { signal: _, ...rest } = init;
    const response = await send(url, { ...rest, headers, body: JSON.stringify(message) });
    const { result, error } = readResponse(await response.text());
    if (result !== undefined) return result;
    throw new Error(error?.message ?? `The server answered with HTTP ${response.status}.`);
  };
}
