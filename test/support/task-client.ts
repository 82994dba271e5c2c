import { type McpInProcessConnection, MetaKey } from '@dacapo/mcp';
import type { DetailedTask } from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';

/** The extension. */
export const TASKS = 'io.modelcontextprotocol/tasks';
/** What a client declares that knows tasks. */
export const CAPABLE = { elicitation: {}, extensions: { [TASKS]: {} } };

let lastId = 0;

/** Sends a request as a client that knows tasks, unless it says otherwise. */
export async function send(
  client: McpInProcessConnection,
  method: string,
  params: object,
  capabilities: object = CAPABLE,
): Promise<Record<string, unknown>> {
  const _meta = {
    [MetaKey.ProtocolVersion]: '2026-07-28',
    [MetaKey.ClientCapabilities]: capabilities,
  };
  const answer = await client.send({
    jsonrpc: '2.0',
    id: (lastId += 1),
    method,
    params: { ...params, _meta },
  });
  return ('result' in answer ? answer.result : answer.error) as unknown as Record<string, unknown>;
}

/** Calls a tool without arguments. */
export async function call(
  client: McpInProcessConnection,
  name: string,
  rest = {},
): Promise<Record<string, unknown>> {
  return send(client, 'tools/call', { name, arguments: {}, ...rest });
}

/** The task, when it has come to a status. */
export async function until(
  client: McpInProcessConnection,
  taskId: unknown,
  status: DetailedTask['status'],
): Promise<Record<string, unknown>> {
  let task: Record<string, unknown> = {};
  await eventually(async () => {
    task = await send(client, 'tasks/get', { taskId });
    expect(task['status']).toBe(status);
  });
  return task;
}
