import { InvalidFormException, MissingClientCapabilityException } from '../exceptions/index.js';
import { McpClient, McpExchange } from '../exchange/index.js';
import type { ClientCapabilities, JsonRpcNotification } from '../protocol/index.js';
import { Ledger, ReplayExecution, type Round } from '../replay/index.js';
import { McpPromptContext } from './mcp-prompt.context.js';
import { McpResourceContext } from './mcp-resource.context.js';
import { McpToolContext } from './mcp-tool.context.js';
import { roundSetup } from '../replay/round.fixture.js';

interface Stage {
  readonly context: McpToolContext;
  readonly execution: ReplayExecution;
  readonly exchange: McpExchange;
  readonly sent: JsonRpcNotification[];
}

function stage(
  capabilities: ClientCapabilities = { elicitation: {} },
  ledger = new Ledger(),
): Stage {
  const sent: JsonRpcNotification[] = [];
  const exchange = new McpExchange(
    7,
    'tools/call',
    '2026-07-28',
    new McpClient({ name: 'client', version: '1' }, capabilities),
    { progressToken: 'p' } as never,
    {
      transport: 'http',
      headers: {},
      request: undefined,
      cancelled: false,
      onCancel: () => undefined,
      notify: (notification) => sent.push(notification) > 0,
      drop: () => undefined,
    },
  );
  exchange.principal = 'ada';
  const execution = new ReplayExecution(roundSetup({ handler: 'open', ledger }));
  const round = { execution, round: 2, conversationId: 'c-1' } as Round;
  return { context: new McpToolContext('open', exchange, round), execution, exchange, sent };
}

describe('the context of a handler', () => {
  it('tells what surrounds the call', () => {
    const { context, exchange } = stage();
    expect(context.handlerName).toBe('open');
    expect(context.round).toBe(2);
    expect(context.conversationId).toBe('c-1');
    expect(context.client).toBe(exchange.client);
    expect(context.principal).toBe('ada');
    expect(context.signal).toBe(exchange.signal);
  });

  it('is of the kind of its handler', () => {
    const { exchange, execution } = stage();
    const round = { execution, round: 1, conversationId: 'c' } as Round;
    for (const kind of [McpToolContext, McpPromptContext, McpResourceContext]) {
      expect(new kind('docs://a', exchange, round).handlerName).toBe('docs://a');
    }
  });

  it('asks with the form in the question', async () => {
    const { context, execution } = stage();
    const asked = context.elicit('Who?', (form) => form.email('email'), { key: 'who' });
    expect([...execution.pending]).toEqual([
      [
        'who',
        {
          method: 'elicitation/create',
          params: {
            mode: 'form',
            message: 'Who?',
            requestedSchema: {
              type: 'object',
              properties: { email: { type: 'string', format: 'email' } },
              required: ['email'],
            },
          },
        },
      ],
    ]);
    await expect(asked).rejects.toThrow();
  });

  it.each<[string, ClientCapabilities]>([
    ['nothing', {}],
    ['url mode only', { elicitation: { url: {} } }],
    ['other things', { sampling: {}, roots: {} }],
  ])('does not ask a client that can do %s', async (_, capabilities) => {
    const { context, execution } = stage(capabilities);
    let written = false;
    const asked = context.elicit('Who?', (form) => {
      written = true;
      return form.string('a');
    });
    await expect(asked).rejects.toThrow(MissingClientCapabilityException);
    await expect(asked).rejects.toMatchObject({
      requiredCapabilities: { elicitation: { form: {} } },
      what: 'elicitation (form mode)',
    });
    expect(written).toBe(false);
    expect(execution.pending.size).toBe(0);
  });

  it.each<ClientCapabilities>([
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { form: {}, url: {} } },
  ])('asks a client that can do %j', async (capabilities) => {
    const { context, execution } = stage(capabilities);
    const asked = context.elicit('Who?', (form) => form.string('a'));
    expect([...execution.pending.keys()]).toEqual(['elicit-1']);
    await expect(asked).rejects.toThrow();
  });

  it('rejects, and never throws, over a form that nobody could show', async () => {
    const { context } = stage();
    const asked = context.elicit('Who?', (form) => form);
    await expect(asked).rejects.toThrow(InvalidFormException);
  });

  it('logs to the client, at the level it asked for', () => {
    const { context, sent } = stage();
    expect(context.log).toBe(context.log);
    expect(context.log.info('not asked for')).toBe(false);
    expect(sent).toEqual([]);
  });

  it('makes emitters that report on one token', () => {
    const { context, sent } = stage();
    context.countingProgress(2).next();
    context.absoluteProgress().to(1);
    context.percentageProgress().to(0.5);
    context.absoluteProgress(9).to(5, 'x');
    expect(sent.map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, total: 2 },
      { progressToken: 'p', progress: 5, total: 9, message: 'x' },
    ]);
  });
});
