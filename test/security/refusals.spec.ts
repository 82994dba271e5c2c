import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { IsInt } from 'class-validator';
import {
  MCP_CLOCK,
  McpArgs,
  McpContext,
  type McpExchange,
  McpPrincipalSource,
  McpPrompt,
  McpPromptContext,
  McpResource,
  McpResourceContext,
  McpTool,
  McpToolContext,
} from '@dacapo/mcp';
import { adapters } from '../support/adapters.js';
import {
  SECRET,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support/test-server.js';
import {
  callTool,
  ENVELOPE,
  errorOf,
  post,
  resultOf,
  send,
  stateOf,
  textOf,
  type WireOptions,
  type WireResponse,
} from '../support/wire.js';

/** How often a handler went on after its question. */
let executed = 0;
/** Asked in a second application version, or by a handler that is not deterministic. */
let question = 'Really?';

class Transfer {
  @IsInt()
  amount!: number;
}

@Injectable()
class Bank {
  @McpTool({ description: 'Transfers' })
  async transfer(@McpArgs() args: Transfer, @McpContext() ctx: McpToolContext): Promise<string> {
    const sure = await ctx.elicit(question, (form) => form.boolean('yes'));
    executed += 1;
    const second = await ctx.elicit('A note?', (form) => form.string('note'));
    return `${args.amount} ${sure.action} ${second.action}`;
  }

  @McpTool({ description: 'Refunds' })
  async refund(@McpArgs() args: Transfer, @McpContext() ctx: McpToolContext): Promise<string> {
    return this.transfer(args, ctx);
  }

  @McpTool({ description: 'Swallows everything' })
  async careless(@McpContext() ctx: McpToolContext): Promise<string> {
    try {
      const answer = await ctx.elicit(question, (form) => form.boolean('yes'));
      return answer.action;
    } catch {
      return 'careless';
    }
  }

  @McpTool({ description: 'Does without' })
  async modest(@McpContext() ctx: McpToolContext): Promise<string> {
    if (!ctx.client.supports('elicitation.form')) return 'without asking';
    return ctx.elicit('Sure?', (form) => form.boolean('yes')).then(({ action }) => action);
  }

  @McpTool({ description: 'Never asks' })
  silent(): string {
    return 'silent';
  }

  @McpPrompt({ description: 'Asks' })
  async transferPrompt(@McpContext() ctx: McpPromptContext): Promise<string> {
    return ctx.elicit('Tone?', (form) => form.string('tone')).then(({ action }) => action);
  }

  @McpResource({ uri: 'bank://vault' })
  async vault(@McpContext() ctx: McpResourceContext): Promise<string> {
    return ctx.elicit('Word?', (form) => form.string('word')).then(({ action }) => action);
  }
}

class HeaderSource extends McpPrincipalSource {
  override currentPrincipal(exchange: McpExchange): string | null {
    const user = exchange.headers['x-user'];
    return typeof user === 'string' ? user : null;
  }
}

const yes = { action: 'accept', content: { yes: true } };

describe.each(adapters)('What is refused on %s', (_, adapter) => {
  let server: TestServer;

  const start = (rest: TestServerOptions = {}): Promise<TestServer> =>
    startServer({
      adapter,
      ...rest,
      providers: [Bank],
      mcp: { principalSource: { useClass: HeaderSource }, ...rest.mcp },
    });

  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    executed = 0;
    question = 'Really?';
  });

  const ada: WireOptions = { headers: { 'x-user': 'ada' } };

  const transfer = (
    rest: Record<string, unknown> = {},
    { url = server.url, amount = 1, name = 'transfer', options = ada } = {},
  ): Promise<WireResponse> => callTool(url, name, { amount }, rest, options);

  const expectRefusal = (response: WireResponse, reason: string): void => {
    expect(response.status).toBe(400);
    const { code, message, data } = errorOf(response);
    expect(code).toBe(-32602);
    expect(data?.['reason']).toBe(reason);
    expect(message).toMatch(/anew|[Rr]epeat|[Rr]etry|Answer (?:only|with)|Echo|Leave it out/);
    expect(executed).toBe(0);
  };

  it('answers without state', async () => {
    expectRefusal(await transfer({ inputResponses: { 'elicit-1': yes } }), 'answers_without_state');
  });

  it.each([
    ['no text', 42],
    ['null', null],
    ['not base64url', 'a token?'],
    ['too short', 'AAAA'],
    ['longer than it may be', 'A'.repeat(70_000)],
  ])('state that is %s', async (__, requestState) => {
    expectRefusal(await transfer({ requestState }), 'state_malformed');
  });

  it.each([
    ['format version', 0, 'state_malformed'],
    ['key id', 2, 'state_tampered'],
    ['nonce', 8, 'state_tampered'],
    ['ciphertext', 40, 'state_tampered'],
    ['tag', -3, 'state_tampered'],
  ])('state with a turned bit in its %s', async (__, index, reason) => {
    const bytes = Buffer.from(stateOf(await transfer()), 'base64url');
    const at = index < 0 ? bytes.length + index : index;
    bytes[at] = (bytes[at] as number) ^ 0x10;
    expectRefusal(await transfer({ requestState: bytes.toString('base64url') }), reason);
  });

  it('state with something appended', async () => {
    const requestState = `${stateOf(await transfer())}-TAMPERED`;
    const { data } = errorOf(await transfer({ requestState }));
    expect(['state_malformed', 'state_tampered']).toContain(data?.['reason']);
  });

  it.each([
    ['of another key', { replay: { secret: randomBytes(32).toString('base64') } }],
    ['of another server with the same key', { server: { name: 'other', version: '1.0.0' } }],
  ])('state %s', async (__, mcp) => {
    const other = await start({ mcp });
    const requestState = stateOf(await transfer({}, { url: other.url }));
    expectRefusal(await transfer({ requestState }), 'state_tampered');
    await other.close();
  });

  it('state of another principal', async () => {
    const requestState = stateOf(await transfer());
    for (const headers of [{ 'x-user': 'eve' }, {}]) {
      expectRefusal(
        await transfer({ requestState }, { options: { headers } }),
        'principal_mismatch',
      );
    }
    const ofNobody = stateOf(await transfer({}, { options: {} }));
    expectRefusal(await transfer({ requestState: ofNobody }), 'principal_mismatch');
  });

  it('state of another method', async () => {
    const requestState = stateOf(await transfer());
    const onPrompt = await send(
      server.url,
      'prompts/get',
      { name: 'transferPrompt', requestState },
      ada,
    );
    expectRefusal(onPrompt, 'method_mismatch');
    const onResource = await send(
      server.url,
      'resources/read',
      { uri: 'bank://vault', requestState },
      ada,
    );
    expectRefusal(onResource, 'method_mismatch');
    const ofPrompt = stateOf(
      await send(server.url, 'prompts/get', { name: 'transferPrompt' }, ada),
    );
    expectRefusal(await transfer({ requestState: ofPrompt }), 'method_mismatch');
  });

  it('state of another tool', async () => {
    const requestState = stateOf(await transfer());
    expectRefusal(await transfer({ requestState }, { name: 'refund' }), 'target_mismatch');
  });

  it('other arguments than those that were confirmed', async () => {
    const requestState = stateOf(await transfer());
    expectRefusal(
      await transfer({ requestState, inputResponses: { 'elicit-1': yes } }, { amount: 1000 }),
      'arguments_mismatch',
    );
  });

  it('numbers that no double holds, which would all be bound alike', async () => {
    for (const amount of ['1e999', '-1e999']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"transfer","arguments":{"amount":${amount}},"_meta":${JSON.stringify(ENVELOPE)}}}`;
      const response = await post(server.url, body, {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'transfer',
      });
      expect(errorOf(response)).toMatchObject({ code: -32602 });
      expect(errorOf(response).message).toContain('too large to hold');
    }
  });

  it.each([
    ['answer_unknown', { 'elicit-7': yes }],
    ['answer_unknown', { 'elicit-1': yes, 'elicit-2': yes }],
    ['answer_unknown', { constructor: yes }],
    ['answer_malformed', { 'elicit-1': 12345 }],
    ['answer_malformed', { 'elicit-1': { action: 'yes' } }],
    ['answer_malformed', { 'elicit-1': { action: 'accept', content: { yes: { deep: 1 } } } }],
    ['answer_malformed', null],
    ['answer_malformed', 'yes'],
    ['answer_malformed', [yes]],
    ['answer_wrong_kind', { 'elicit-1': { role: 'assistant', model: 'm', content: [] } }],
    ['answer_wrong_kind', { 'elicit-1': { roots: [] } }],
  ])('answers: %s %j', async (reason, inputResponses) => {
    const requestState = stateOf(await transfer());
    expectRefusal(await transfer({ requestState, inputResponses }), reason);
  });

  it('an answer that was given before', async () => {
    const first = stateOf(await transfer());
    const second = stateOf(
      await transfer({ requestState: first, inputResponses: { 'elicit-1': yes } }),
    );
    executed = 0;
    expectRefusal(
      await transfer({ requestState: second, inputResponses: { 'elicit-1': yes } }),
      'answer_repeated',
    );
  });

  it('another question at an answered or pending slot, however careless the handler', async () => {
    for (const name of ['transfer', 'careless']) {
      const args = name === 'transfer' ? { amount: 1 } : {};
      question = 'Really?';
      const requestState = stateOf(await callTool(server.url, name, args, {}, ada));
      question = 'Deploy changed me?';
      for (const inputResponses of [{ 'elicit-1': yes }, undefined]) {
        const response = await callTool(
          server.url,
          name,
          args,
          { requestState, inputResponses },
          ada,
        );
        expectRefusal(response, 'ledger_mismatch');
        expect(errorOf(response).message).toContain('idempotency contract');
        expect(errorOf(response).data).toMatchObject({
          key: 'elicit-1',
          position: 1,
          recorded: { kind: 'elicit', label: 'Really?' },
          attempted: { kind: 'elicit', label: 'Deploy changed me?' },
        });
      }
    }
  });

  it('state that is too old, of too old a conversation, or of too many rounds', async () => {
    let now = Date.now();
    const timed = await start({
      mcp: { replay: { ttlMs: 1_000, maxAgeMs: 2_500, maxRounds: 4 } },
      override: (builder) => builder.overrideProvider(MCP_CLOCK).useValue(() => now),
    });
    const { url } = timed;
    const first = stateOf(await transfer({}, { url }));
    now += 1_000;
    const second = stateOf(await transfer({ requestState: first }, { url }));
    now += 1;
    expectRefusal(await transfer({ requestState: first }, { url }), 'state_expired');
    now += 999;
    const third = stateOf(await transfer({ requestState: second }, { url }));
    now += 501;
    expectRefusal(await transfer({ requestState: third }, { url }), 'conversation_expired');

    let last = stateOf(await transfer({}, { url }));
    for (let round = 2; round <= 4; round += 1) {
      last = stateOf(await transfer({ requestState: last }, { url }));
    }
    expectRefusal(await transfer({ requestState: last }, { url }), 'too_many_rounds');
    await timed.close();
  });

  describe('for want of a capability', () => {
    const without = (capabilities: unknown): WireOptions => ({
      ...ada,
      meta: { 'io.modelcontextprotocol/clientCapabilities': capabilities },
    });

    it.each([[{}], [{ elicitation: { url: {} } }], [{ sampling: {} }]])(
      'a question to a client with %j',
      async (capabilities) => {
        const response = await transfer({}, { options: without(capabilities) });
        expect(response.status).toBe(400);
        expect(errorOf(response)).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: { form: {} } } },
        });
      },
    );

    it.each([
      [{ elicitation: {} }],
      [{ elicitation: { form: {} } }],
      [{ elicitation: { form: {}, url: {} } }],
    ])('no question to a client with %j', async (capabilities) => {
      expect(resultOf(await transfer({}, { options: without(capabilities) })).resultType).toBe(
        'input_required',
      );
    });

    it('also on a retry that forgets it', async () => {
      const requestState = stateOf(await transfer());
      const response = await transfer({ requestState }, { options: without({}) });
      expect(errorOf(response).code).toBe(-32021);
    });

    it('not for a handler that never asks, nor for one that can do without', async () => {
      expect(textOf(await callTool(server.url, 'silent', {}, {}, without({})))).toBe('silent');
      expect(textOf(await callTool(server.url, 'modest', {}, {}, without({})))).toBe(
        'without asking',
      );
    });

    it('on prompts and resources too', async () => {
      const prompt = await send(server.url, 'prompts/get', { name: 'transferPrompt' }, without({}));
      expect(errorOf(prompt).code).toBe(-32021);
      const resource = await send(
        server.url,
        'resources/read',
        { uri: 'bank://vault' },
        without({}),
      );
      expect(errorOf(resource).code).toBe(-32021);
    });
  });

  it('nothing of it is logged', () => {
    expect(server.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
  });

  it('serves good calls as before', async () => {
    const first = await transfer();
    const second = await transfer({
      requestState: stateOf(first),
      inputResponses: { 'elicit-1': yes },
    });
    const third = await transfer({
      requestState: stateOf(second),
      inputResponses: { 'elicit-2': { action: 'decline' } },
    });
    expect(textOf(third)).toBe('1 accept decline');
    expect(SECRET).toHaveLength(44);
  });
});
