import type { Verdict } from './judge.js';
import { figure, table } from './table.js';

/** The budgets of a run, each with what was measured. */
export function verdictsTable(verdicts: readonly Verdict[]): string {
  return table(
    ['budget', 'measured', 'at most', ''],
    verdicts.map(({ name, measured, atMost, unit, judgement }) => [
      name,
      Number.isNaN(measured) ? '' : `${figure(measured)} ${unit}`,
      `${figure(atMost)} ${unit}`,
      judgement,
    ]),
  );
}
