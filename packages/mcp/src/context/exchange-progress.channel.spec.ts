import type { JsonRpcNotification } from '../protocol/index.js';
import { McpClient, McpExchange } from '../exchange/index.js';
import type { ReplayExecution } from '../replay/index.js';
import { ExchangeProgressChannel } from './exchange-progress.channel.js';
import { AbsoluteProgress, CountingProgress } from './progress/index.js';

interface Stage {
  readonly sent: JsonRpcNotification[];
  readonly execution: { muted: boolean };
  readonly channel: ExchangeProgressChannel;
}

function stage(progressToken: unknown, muted = false): Stage {
  const sent: JsonRpcNotification[] = [];
  const exchange = new McpExchange(
    1,
    'tools/call',
    '2026-07-28',
    new McpClient(undefined, {}),
    { progressToken } as never,
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
  const execution = { muted };
  const channel = new ExchangeProgressChannel(exchange, execution as unknown as ReplayExecution);
  return { sent, execution, channel };
}

/** The progress of each notification. */
function values({ sent }: Stage): unknown[] {
  return sent.map(({ params }) => params?.['progress']);
}

describe('ExchangeProgressChannel', () => {
  it.each([
    [undefined, undefined, {}],
    [10, undefined, { total: 10 }],
    [undefined, 'half', { message: 'half' }],
    [0, '', { total: 0, message: '' }],
  ])('sends total %p and message %p', (total, message, rest) => {
    const { sent, channel } = stage('token');
    channel.send(5, total, message);
    expect(sent).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 'token', progress: 5, ...rest },
      },
    ]);
    expect(Object.keys(sent[0]?.params ?? {})).toEqual([
      'progressToken',
      'progress',
      ...Object.keys(rest),
    ]);
  });

  it.each(['abc', '', '7', 0, 7, -1])('echoes the token %p with its JSON type', (token) => {
    const { sent, channel } = stage(token);
    channel.send(1, undefined, undefined);
    expect(sent[0]?.params?.['progressToken']).toBe(token);
  });

  it.each([undefined, null, 1.5, true, {}, ['a']])('sends nothing for the token %p', (token) => {
    const { sent, channel } = stage(token);
    channel.send(1, undefined, undefined);
    expect(sent).toEqual([]);
  });

  it('sends nothing while it is muted, and only what is new afterwards', () => {
    const at = stage('token', true);
    const progress = new CountingProgress(at.channel);
    progress.next();
    progress.next();
    expect(values(at)).toEqual([]);
    at.execution.muted = false;
    progress.next();
    expect(values(at)).toEqual([3]);
  });

  it('lets one token only increase, whoever reports', () => {
    const at = stage('token');
    const one = new AbsoluteProgress(at.channel);
    const other = new AbsoluteProgress(at.channel);
    one.to(5);
    other.to(1);
    other.to(5);
    other.to(6);
    one.to(5.5);
    one.to(7);
    expect(values(at)).toEqual([5, 6, 7]);
  });

  it('counts what was muted as reported', () => {
    const at = stage('token', true);
    new AbsoluteProgress(at.channel).to(5);
    at.execution.muted = false;
    new AbsoluteProgress(at.channel).to(3);
    expect(values(at)).toEqual([]);
  });

  it('sends negative progress and zero', () => {
    const at = stage('token');
    const progress = new AbsoluteProgress(at.channel);
    progress.to(-1);
    progress.to(0);
    expect(values(at)).toEqual([-1, 0]);
  });
});
