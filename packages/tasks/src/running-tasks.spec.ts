import { jest } from '@jest/globals';
import { RunningTasks } from './running-tasks.js';

describe('RunningTasks', () => {
  it('ends the rounds of a task that another one has overtaken', () => {
    const running = new RunningTasks();
    const [old, next, other] = [
      running.begin('a', 1, 1_000),
      running.begin('a', 2, 1_000),
      running.begin('b', 1, 1_000),
    ];
    expect(running.has('a')).toBe(true);
    running.abort('a', 2);
    expect([old, next, other].map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
    running.abort('a', 1);
    expect(next.signal.aborted).toBe(false);
    running.abortRound('a', 2);
    expect([next, other].map(({ signal }) => signal.aborted)).toEqual([true, false]);
    running.abortAll();
    expect(other.signal.reason).toMatchObject({ name: 'AbortError' });
    for (const round of [old, next, other]) running.end(round);
    expect(running.has('a')).toBe(false);
  });

  it('gives a task up when it has expired', () => {
    jest.useFakeTimers();
    const running = new RunningTasks();
    const round = running.begin('a', 1, 500);
    const long = running.begin('b', 1, Number.MAX_SAFE_INTEGER);
    jest.advanceTimersByTime(500);
    jest.useRealTimers();
    expect([round, long].map(({ signal }) => signal.aborted)).toEqual([true, false]);
    running.end(long);
  });
});
