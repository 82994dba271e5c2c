import type { Budget } from '../budgets.js';
import { judge } from './judge.js';

describe('the judgement of a run', () => {
  const half: Budget = {
    name: 'a by b',
    measure: (read) => read('a') / read('b'),
    atMost: 0.5,
    unit: '×',
  };
  const judgementFor = (a: number, b: number): unknown =>
    judge(
      [half],
      [
        { name: 'a', values: { cpuMicros: a } },
        { name: 'b', values: { cpuMicros: b } },
      ],
    )[0];

  it.each([
    [50, 'ok'],
    [51, 'over'],
    [100, 'over'],
    [101, 'far over'],
  ])('of %d in 100 against a half is %s', (a, judgement) => {
    expect(judgementFor(a, 100)).toMatchObject({ measured: a / 100, atMost: 0.5, judgement });
  });

  it('says when a line is missing', () => {
    expect(judge([half], [{ name: 'a', values: { cpuMicros: 1 } }])).toEqual([
      { name: 'a by b', measured: NaN, atMost: 0.5, unit: '×', judgement: 'not measured' },
    ]);
  });

  it('reads other values than CPU', () => {
    const grown: Budget = {
      ...half,
      measure: (read) => read('a', 'megabytesGrown'),
      atMost: 60,
      unit: 'MB',
    };
    const lines = [{ name: 'a', values: { cpuMicros: 1, megabytesGrown: 59 } }];
    expect(judge([grown], lines)).toMatchObject([{ measured: 59, judgement: 'ok' }]);
  });
});
