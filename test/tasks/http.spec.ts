import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpTask, McpTasksModule } from '@dacapo/tasks';
import { eventually } from '@dacapo/testing/tasks';
import { adapters } from '../support/adapters.js';
import { listen } from '../support/event-stream.js';
import { CAPABLE } from '../support/task-client.js';
import { startServer, type TestServer } from '../support/test-server.js';
import {
  callTool,
  ENVELOPE,
  errorOf,
  post,
  resultOf,
  send,
  type WireResponse,
} from '../support/wire.js';

@Injectable()
class ImportTools {
  @McpTask()
  @McpTool()
  async importAll(@McpContext() ctx: McpToolContext): Promise<string> {
    return `sure: ${await ctx.confirm('Sure?', { key: 'sure' })}`;
  }
}

const meta = { 'io.modelcontextprotocol/clientCapabilities': CAPABLE };
const inputResponses = { sure: { action: 'accept', content: { confirmed: true } } };

describe.each(adapters)('tasks over HTTP, on %s', (_, adapter) => {
  let server: TestServer;
  let taskId: string;

  const task = (
    method: string,
    params: Record<string, unknown> = {},
    headers: Record<string, string | undefined> = { 'mcp-name': taskId },
  ): Promise<WireResponse> => send(server.url, method, { taskId, ...params }, { meta, headers });

  beforeAll(async () => {
    server = await startServer({
      adapter,
      imports: [McpTasksModule.forRoot({ graceMs: 50 })],
      providers: [ImportTools],
    });
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    const created = resultOf(await callTool(server.url, 'importAll', {}, {}, { meta }));
    expect(created).toMatchObject({ resultType: 'task', status: 'working' });
    taskId = String(created['taskId']);
  });

  it.each([
    ['is missing', undefined],
    ['is that of another task', 'another'],
  ])('are not found where Mcp-Name %s', async (_, name) => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const refused = await task(method, { inputResponses }, { 'mcp-name': name });
      expect(refused.status).toBe(400);
      expect(errorOf(refused).code).toBe(-32020);
    }
    const { status } = resultOf(await task('tasks/get'));
    expect(status).not.toBe('cancelled');
  });

  it('refuse an answer that could not be written down, and go on', async () => {
    const content = { confirmed: '1e999' };
    const params = { taskId, inputResponses: { sure: { action: 'accept', content } } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tasks/update' };
    const text = JSON.stringify({
      ...body,
      params: { ...params, _meta: { ...ENVELOPE, ...meta } },
    });
    const asks = async (): Promise<void> => {
      const { status } = resultOf(await task('tasks/get'));
      expect(status).toBe('input_required');
    };
    await eventually(asks);
    const refused = await post(server.url, text.replace('"1e999"', '1e999'), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tasks/update',
      'mcp-name': taskId,
    });
    expect(errorOf(refused)).toMatchObject({ code: -32602, data: { reason: 'answer_malformed' } });
    await asks();
  });

  it('are told of on a stream, from how they stand to their end', async () => {
    const stream = await listen(server.url, { taskIds: [taskId, 'unknown'] }, { meta });
    expect(await stream.next()).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] } },
    });
    let told = await stream.next();
    while (told.params?.['status'] === 'working') told = await stream.next();
    expect(told).toMatchObject({
      method: 'notifications/tasks',
      params: { taskId, status: 'input_required', inputRequests: { sure: {} } },
    });
    const updated = await task('tasks/update', { inputResponses });
    expect(resultOf(updated)).toMatchObject({ resultType: 'complete' });
    while (told.params?.['status'] !== 'completed') told = await stream.next();
    expect(told.params).toMatchObject({ result: { content: [{ text: 'sure: true' }] } });
    expect(resultOf(await task('tasks/get'))).toMatchObject({ status: 'completed' });
    stream.close();
  });

  it('end when their client takes them back', async () => {
    const cancelled = await task('tasks/cancel');
    expect(cancelled.status).toBe(200);
    expect(resultOf(cancelled)).toMatchObject({ resultType: 'complete' });
    expect(resultOf(await task('tasks/get'))).toMatchObject({ status: 'cancelled' });
  });
});
