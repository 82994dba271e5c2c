import { CallCancelledException } from '../exceptions/index.js';
import { someExchange } from '../exchange/exchange.fixture.js';
import type { ResolvedOptions } from '../options/index.js';
import type { MrtrEngine, RoundPlayer } from '../replay/index.js';
import { CallLimits } from './call-limits.js';
import { CallRunner } from './call-runner.js';
import type { McpCall } from './mcp-call.js';

const exchange = someExchange('tools/call');
const request = {
  method: 'tools/call',
  target: 'pay',
  arguments: {},
  inputResponses: undefined,
  requestState: undefined,
} as const;

describe('A call that is played once and keeps its client waiting', () => {
  it('keeps nothing for its duplicates where it was cancelled', async () => {
    const kept: unknown[] = [];
    const runner = new CallRunner(
      {} as MrtrEngine,
      {} as RoundPlayer,
      { maxResultBytes: 1_000 } as ResolvedOptions,
    );
    let cancel!: () => void;
    const cancelled = new Promise<void>((resolve) => (cancel = resolve));
    const handler = {
      kind: 'tool',
      name: 'pay',
      source: 'Bank.pay',
      limits: new CallLimits('pay'),
      replay: { once: true },
      invoke: async (call: McpCall) => {
        call.claim = {
          answer: async (make) => {
            const result = await make();
            kept.push(result);
            return result;
          },
        };
        call.departure?.begun({} as never);
        await cancelled;
        throw new CallCancelledException(undefined);
      },
    } as unknown as Parameters<CallRunner['run']>[0];
    await runner.runUntilLeft(handler, exchange, request, () => ({ resultType: 'complete' }), {
      detach: 'leave',
      detached: async () => ({ resultType: 'complete' }),
      afterMs: 0,
      overdue: async () => {
        cancel();
        return undefined;
      },
    });
    expect(kept).toEqual([]);
  });
});

describe('A call whose keeper fails', () => {
  it('is answered with its error, and nothing waits for the round', async () => {
    const runner = new CallRunner(
      {} as MrtrEngine,
      {} as RoundPlayer,
      { maxResultBytes: 1_000 } as ResolvedOptions,
    );
    const handler = {
      kind: 'tool',
      name: 'pay',
      source: 'Bank.pay',
      limits: new CallLimits('pay'),
      replay: {},
      invoke: (call: McpCall) => {
        call.departure?.begun({} as never);
        return new Promise(() => undefined);
      },
    } as unknown as Parameters<CallRunner['run']>[0];
    const answer = runner.runUntilLeft(
      handler,
      exchange,
      request,
      () => ({ resultType: 'complete' }),
      {
        detach: 'leave',
        detached: async () => ({ resultType: 'complete' }),
        afterMs: 0,
        overdue: () => Promise.reject(new Error('no keeper')),
      },
    );
    await expect(answer).rejects.toThrow('no keeper');
  });
});
