import { jest } from '@jest/globals';
import type { McpNotifier } from '../../changes/index.js';
import { RequestStateRejectedException } from '../../exceptions/index.js';
import { ExtensionRegistry, type McpRecordedRound } from '../extensions/index.js';
import type { ToolsFeature } from '../tools/index.js';
import { ExtensionHost } from './extension.host.js';

type Play = ToolsFeature['play'];

function setup(): {
  host: ExtensionHost;
  play: jest.Mock<Play>;
  changed: jest.Mock<McpNotifier['extensionChanged']>;
  extensions: ExtensionRegistry;
} {
  const play = jest.fn<Play>().mockResolvedValue({ type: 'unplayed', cause: 'busy', entries: [] });
  const changed = jest.fn<McpNotifier['extensionChanged']>();
  const extensions = new ExtensionRegistry();
  const host = new ExtensionHost('a/jobs', {
    scope: 'books',
    now: () => 7,
    notifier: { extensionChanged: changed } as unknown as McpNotifier,
    extensions,
    tools: { play } as unknown as ToolsFeature,
  });
  return { host, play, changed, extensions };
}

const controller = new AbortController();

const round = (rest: Partial<McpRecordedRound> = {}): McpRecordedRound => ({
  tool: 'import',
  arguments: { rows: [1] },
  principal: 'ada',
  protocolVersion: '2026-07-28',
  capabilities: { elicitation: {} },
  conversationId: 'c',
  startedAtMs: 5,
  round: 2,
  entries: [],
  answers: { sure: true },
  background: { signal: controller.signal, progress: () => undefined },
  save: async () => undefined,
  ...rest,
});

describe('What a server does for its extension', () => {
  it('is to tell whose it is, and what time', () => {
    const { host } = setup();
    expect(host.scope).toBe('books');
    expect(host.now()).toBe(7);
  });

  it('is to tell others of changes, and it of those of its own', () => {
    const { host, changed, extensions } = setup();
    host.changed('7');
    expect(changed.mock.calls).toEqual([['a/jobs', '7']]);
    const told: string[] = [];
    host.onChanged((key) => told.push(key));
    extensions.tell({ type: 'extension', server: 's', extension: 'a/jobs', key: '8' });
    extensions.tell({ type: 'extension', server: 's', extension: 'a/other', key: '9' });
    expect(told).toEqual(['8']);
  });

  it('is to hold answers against their questions', () => {
    const { host } = setup();
    const question = { method: 'roots/list' } as const;
    expect(host.readAnswer(question, 'r', { roots: [] })).toEqual({ roots: [] });
    expect(() => host.readAnswer(question, 'r', 5)).toThrow(RequestStateRejectedException);
  });
});

describe('A recorded round', () => {
  async function played(rest: Partial<McpRecordedRound>): Promise<Parameters<Play>> {
    const { host, play } = setup();
    await host.play(round(rest));
    return play.mock.calls[0] as Parameters<Play>;
  }

  it('is played with its record', async () => {
    const [, request, recorded] = await played({});
    expect(request).toMatchObject({ method: 'tools/call', target: 'import' });
    expect(recorded).toEqual({
      conversationId: 'c',
      startedAt: 5,
      round: 2,
      entries: [],
      answers: { sure: true },
    });
  });

  it('has arguments of its own, which its handler may change', async () => {
    const args = { rows: [1] };
    const [, request] = await played({ arguments: args });
    (request.arguments['rows'] as number[]).push(2);
    expect(args).toEqual({ rows: [1] });
  });

  it('has the caller of the call, and no request', async () => {
    const [exchange] = await played({ clientInfo: { name: 'app', version: '1' } });
    expect(exchange).toMatchObject({
      id: 'c',
      principal: 'ada',
      protocolVersion: '2026-07-28',
      transport: 'task',
      headers: {},
      request: undefined,
      meta: {
        'io.modelcontextprotocol/clientInfo': { name: 'app', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      },
    });
    expect(exchange.client.info).toEqual({ name: 'app', version: '1' });
    expect(exchange.client.supports('elicitation')).toBe(true);
  });

  it('says nothing of a client that has said nothing of itself', async () => {
    const [{ meta, client }] = await played({});
    expect(meta).not.toHaveProperty(['io.modelcontextprotocol/clientInfo']);
    expect(client.info).toBeUndefined();
  });

  it('is ended and followed by its extension, which keeps what it records', async () => {
    const ending = new AbortController();
    const progress = jest.fn();
    const save = jest.fn(async () => undefined);
    const background = { signal: ending.signal, progress };
    const [exchange, , , keep] = await played({ background, save });
    exchange.notify({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress: 1 },
    });
    expect(progress.mock.calls).toEqual([[{ progress: 1 }]]);
    await keep([{ key: 'step/a', kind: 'step' }]);
    expect(save.mock.calls).toEqual([[[{ key: 'step/a', kind: 'step' }]]]);
    ending.abort('over');
    expect(exchange.signal.reason).toBe('over');
  });
});
