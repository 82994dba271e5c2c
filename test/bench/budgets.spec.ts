import { BUDGETS, linesOf } from './budgets.js';
import { scenarios } from './scenarios/index.js';

describe('the budgets', () => {
  const lines = new Set(scenarios.flatMap((scenario) => scenario.lines));

  it('read only lines that a scenario measures', () => {
    expect([...linesOf(BUDGETS)].filter((line) => !lines.has(line))).toEqual([]);
  });

  it('have names of their own', () => {
    expect(new Set(BUDGETS.map(({ name }) => name)).size).toBe(BUDGETS.length);
  });
});
