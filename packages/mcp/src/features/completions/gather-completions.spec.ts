import type { McpExchange } from '../../exchange/index.js';
import { gatherCompletions } from './gather-completions.js';

const waiting = { aborted: false } as McpExchange;

describe('gatherCompletions', () => {
  it('awaits an async iterable that comes late', async () => {
    async function* late(): AsyncGenerator<string> {
      yield 'a';
    }
    expect(await gatherCompletions(Promise.resolve(late()), waiting)).toEqual(['a']);
  });

  it('reads a synchronous generator', async () => {
    function* now(): Generator<string | string[]> {
      yield 'a';
      yield ['b', 'c'];
    }
    expect(await gatherCompletions(now(), waiting)).toEqual(['a', 'b', 'c']);
  });

  it('reads on when there are as many as can be sent, to know whether there are more', async () => {
    async function* hundred(): AsyncGenerator<string[]> {
      yield Array.from({ length: 100 }, () => 'x');
    }
    expect(await gatherCompletions(hundred(), waiting)).toHaveLength(100);
  });

  it('ends an iterable for which nobody waits any more', async () => {
    const reason = new Error('gone');
    let ended = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'x';
      } finally {
        ended = true;
      }
    }
    const gone = { aborted: true, signal: AbortSignal.abort(reason) } as McpExchange;
    await expect(gatherCompletions(endless(), gone)).rejects.toBe(reason);
    expect(ended).toBe(true);
  });

  it('leaves everything else to the mapper', async () => {
    for (const value of [undefined, null, 'text', 5, ['a'], { values: [] }]) {
      expect(await gatherCompletions(value, waiting)).toBe(value);
    }
  });
});
