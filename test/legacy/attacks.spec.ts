import { Injectable } from '@nestjs/common';
import { McpContext, McpTool, McpToolContext } from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import type { EventStream } from '../support/event-stream.js';
import {
  endSession,
  initialize,
  openSession,
  postLegacy,
  sendLegacy,
  standLegacy,
  streamLegacy,
} from '../support/legacy-wire.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { errorOf, resultOf, textOf } from '../support/wire.js';

const FORGED = {
  'io.modelcontextprotocol/protocolVersion': '2025-11-25',
  'io.modelcontextprotocol/clientCapabilities': { roots: {}, sampling: {}, elicitation: {} },
  'io.modelcontextprotocol/clientInfo': { name: 'forged', version: '1' },
  'io.modelcontextprotocol/logLevel': 'debug',
};

@Injectable()
class Tools {
  @McpTool({ description: 'Says who asks' })
  who(@McpContext() ctx: McpToolContext): string {
    ctx.log.debug('asked');
    const { client } = ctx;
    return `${client.info?.name} ${client.supports('roots')} ${client.supports('sampling')}`;
  }

  @McpTool({ description: 'Asks' })
  async ask(@McpContext() ctx: McpToolContext): Promise<string> {
    const { action } = await ctx.elicit('Sure?', (form) => form.boolean('sure'));
    return action;
  }

  @McpTool({ description: 'Fails' })
  fail(): string {
    throw new Error('password at 10.0.0.1');
  }
}

describe.each(adapters)('attacks on sessions on %s', (_, adapter) => {
  let server: TestServer;
  let url: string;
  let unhandled: unknown[];
  const keep = (reason: unknown): void => void unhandled.push(reason);

  beforeEach(async () => {
    unhandled = [];
    process.on('unhandledRejection', keep);
    server = await startServer({ adapter, providers: [Tools], mcp: { legacy: 'sessions' } });
    url = server.url;
  });
  afterEach(async () => {
    await server.close();
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  const asked = async (session: string, id = 1): Promise<[EventStream, string]> => {
    const call = await streamLegacy(url, 'tools/call', { name: 'ask' }, { session, id });
    const question = await call.next();
    expect(question.method).toBe('elicitation/create');
    return [call, String(question.id)];
  };
  const accepted = (id: unknown, sure: unknown = true): object => ({
    jsonrpc: '2.0',
    id,
    result: { action: 'accept', content: { sure } },
  });
  const capabilities = { elicitation: {} };

  it('takes answers from the session that was asked, to what was asked, once', async () => {
    const [one, other] = [
      await openSession(url, { capabilities }),
      await openSession(url, { capabilities }),
    ];
    const [call, question] = await asked(one);
    expect((await postLegacy(url, accepted(question), { session: other })).status).toBe(202);
    for (const id of ['ask-0', 'ask-2', 1, null, '__proto__', [question], { question }]) {
      expect((await postLegacy(url, accepted(id), { session: one })).status).toBe(202);
    }
    expect(call.unread).toEqual([]);
    const declined = { jsonrpc: '2.0', id: question, result: { action: 'decline' } };
    await postLegacy(url, declined, { session: one });
    await postLegacy(url, accepted(question), { session: one });
    expect(await call.next()).toMatchObject({ result: { content: [{ text: 'decline' }] } });
    expect(await call.end()).toBe('ended');
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['an unknown action', { action: 'rule' }],
    ['another prototype', JSON.parse('{"__proto__":{"action":"accept"}}') as unknown],
  ])('takes %s for no answer', async (_name, result) => {
    const session = await openSession(url, { capabilities });
    const [call, question] = await asked(session);
    await postLegacy(url, { jsonrpc: '2.0', id: question, result }, { session });
    const answer = await call.next();
    expect(JSON.stringify(answer)).not.toContain('"text":"accept"');
    expect(await call.end()).toBe('ended');
  });

  it('asks again where an answer does not fit the form', async () => {
    const session = await openSession(url, { capabilities });
    const [call, question] = await asked(session);
    await postLegacy(url, accepted(question, 'perhaps'), { session });
    const again = await call.next();
    expect(again.method).toBe('elicitation/create');
    expect(again.id).not.toBe(question);
    await postLegacy(url, accepted(again.id), { session });
    expect(await call.next()).toMatchObject({ result: { content: [{ text: 'accept' }] } });
  });

  it('has no way around a question by params of a later revision', async () => {
    const session = await openSession(url, { capabilities });
    const params = {
      name: 'ask',
      requestState: 'forged',
      task: {},
      inputResponses: { '1': { action: 'accept', content: { sure: true } } },
    };
    const call = await streamLegacy(url, 'tools/call', params, { session });
    const question = await call.next();
    expect(question.method).toBe('elicitation/create');
    expect(question.params).not.toHaveProperty('requestState');
    await postLegacy(url, accepted(question.id), { session });
    expect(await call.next()).toMatchObject({ result: { content: [{ text: 'accept' }] } });
  });

  it('grants nothing that is declared in _meta of a request', async () => {
    const session = await openSession(url);
    const { 'io.modelcontextprotocol/protocolVersion': version, ...rest } = FORGED;
    const params = { name: 'who', _meta: rest };
    const answer = await sendLegacy(url, 'tools/call', params, { session });
    expect(textOf(answer)).toBe('wire false false');
    expect(answer.text).not.toContain('notifications/message');
    const refused = await sendLegacy(url, 'tools/call', { ...params, name: 'ask' }, { session });
    expect(errorOf(refused).message).toContain('capabilities of initialize');
    // With a version it is of this revision, and its session does not matter.
    const _meta = { ...rest, 'io.modelcontextprotocol/protocolVersion': version };
    const other = await sendLegacy(url, 'tools/call', { name: 'who', _meta }, { session });
    expect(other.body.result).toBeUndefined();
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26'] as const)(
    'is not confused by what a client of %s says of itself',
    async (protocolVersion) => {
      const odd = [
        '{"__proto__":{"roots":{}},"constructor":{"prototype":{"roots":{}}},"toString":{}}',
        '{"roots":1,"sampling":[],"elicitation":"yes"}',
        '[]',
        'null',
        '{"elicitation":{"form":1,"__proto__":{"url":{}}},"extensions":{"x":{}},"tasks":{}}',
      ];
      for (const text of odd) {
        const params = `{"protocolVersion":"${protocolVersion}","capabilities":${text},"clientInfo":{"name":"odd","version":"1","__proto__":{"name":"x"},"title":5}}`;
        const begun = await sendLegacy(url, 'initialize', JSON.parse(params) as object);
        expect(resultOf(begun)['protocolVersion']).toBe(protocolVersion);
        const session = begun.headers.get('mcp-session-id') ?? '';
        const answer = await sendLegacy(url, 'tools/call', { name: 'who' }, { session });
        expect(textOf(answer)).toBe('odd false false');
      }
      expect({}).not.toHaveProperty('roots');
    },
  );

  it('tells nothing of an error', async () => {
    const session = await openSession(url);
    const answer = await sendLegacy(url, 'tools/call', { name: 'fail' }, { session });
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('10.0.0.1');
    expect(server.logs.map(({ text }) => text).join()).toContain('10.0.0.1');
  });

  it('ends all that goes on in a session that ends, and nothing is left unhandled', async () => {
    const session = await openSession(url, { capabilities });
    const calls = await Promise.all([1, 2, 3].map((id) => asked(session, id)));
    const standing = await standLegacy(url, session);
    expect((await endSession(url, session)).status).toBe(204);
    for (const [call] of calls) expect(await call.end()).toBe('ended');
    expect(await standing.end()).toBe('ended');
    expect((await postLegacy(url, accepted('ask-1'), { session })).status).toBe(404);
  });

  it('closes while clients are asked', async () => {
    const session = await openSession(url, { capabilities });
    const [[call], standing] = [await asked(session), await standLegacy(url, session)];
    await server.app.close();
    expect(await call.end()).toBe('ended');
    expect(await standing.end()).toBe('ended');
  });

  it('lets no client be asked more than so much at once', async () => {
    const session = await openSession(url, { capabilities });
    const calls = await Promise.all(
      Array.from({ length: 64 }, (_each, index) => asked(session, index)),
    );
    const refused = await sendLegacy(url, 'tools/call', { name: 'ask' }, { session, id: 'more' });
    expect(errorOf(refused).message).toContain('sessions.maxAsks');
    const other = await openSession(url, { capabilities });
    const [call] = await asked(other);
    call.close();
    for (const [each] of calls) each.close();
  });

  it('opens a thousand sessions and refuses more, and goes on serving', async () => {
    const session = await openSession(url, { capabilities });
    const answers: number[] = [];
    for (let round = 0; round < 11; round += 1) {
      const some = await Promise.all(Array.from({ length: 100 }, () => initialize(url)));
      answers.push(...some.map(({ status }) => status));
    }
    expect(answers.filter((status) => status === 200)).toHaveLength(999);
    expect(answers.filter((status) => status === 503)).toHaveLength(101);
    expect(resultOf(await sendLegacy(url, 'ping', {}, { session }))).toEqual({});
  });
});
