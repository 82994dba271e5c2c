import { InProcessConversationGuard } from './in-process-conversation.guard.js';

const clock = { now: 100_000 };
const guardOf = (): InProcessConversationGuard => new InProcessConversationGuard(() => clock.now);

describe('InProcessConversationGuard', () => {
  it('gives a round to one of those who claim it', async () => {
    const guard = guardOf();
    const claims = await Promise.all([
      guard.claim('c/2', 'a', 100),
      guard.claim('c/2', 'b', 100),
      guard.claim('c/3', 'b', 100),
    ]);
    expect(claims).toEqual([
      { type: 'claimed' },
      { type: 'consumed', digest: 'a' },
      { type: 'claimed' },
    ]);
  });

  it('knows the result of a round as long as it is kept, and that it was played for longer', async () => {
    const guard = guardOf();
    await guard.claim('c/2', 'a', 100);
    await guard.record('c/2', '{"x":1}', 10);
    const known = { type: 'consumed', digest: 'a', result: '{"x":1}' };
    expect(await guard.claim('c/2', 'a', 100)).toEqual(known);
    clock.now += 9;
    expect(await guard.claim('c/2', 'b', 100)).toEqual(known);
    clock.now += 1;
    expect(await guard.claim('c/2', 'a', 100)).toEqual({ type: 'consumed', digest: 'a' });
    clock.now += 90;
    expect(await guard.claim('c/2', 'a', 100)).toEqual({ type: 'claimed' });
  });

  it('remembers a round at least as long as its result', async () => {
    const guard = guardOf();
    await guard.claim('c/2', 'a', 100);
    await guard.record('c/2', '{}', 500);
    clock.now += 499;
    expect(await guard.claim('c/2', 'a', 100)).toMatchObject({ result: '{}' });
    clock.now += 1;
    expect(await guard.claim('c/2', 'a', 100)).toEqual({ type: 'claimed' });
  });

  it('records nothing of a round that nobody has claimed', async () => {
    const guard = guardOf();
    await guard.record('c/2', '{}', 500);
    expect(await guard.claim('c/2', 'a', 100)).toEqual({ type: 'claimed' });
  });

  it('does not keep what has expired', async () => {
    const guard = guardOf();
    for (let round = 1; round <= 100; round += 1) await guard.claim(`c/${round}`, 'a', 100);
    await guard.claim('long', 'a', 60_000);
    expect(guard.size).toBe(101);
    clock.now += 10_000;
    await guard.claim('next', 'a', 100);
    expect(guard.size).toBe(2);
  });

  it('has a clock of its own', async () => {
    expect(await new InProcessConversationGuard().claim('c/2', 'a', 100)).toEqual({
      type: 'claimed',
    });
  });
});
